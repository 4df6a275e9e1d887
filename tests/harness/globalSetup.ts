import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { writeAchievementRules } from '../../server/achievements/achievements.ts'
import { loadCatalogue } from '../../server/catalogue/loadCatalogue.ts'
import { type ConnectionTarget, connect } from '../../server/db/connection.ts'
import { distribute } from '../../server/db/distribute.ts'
import { startEmbedded } from '../../server/db/embedded/startEmbedded.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { testCatalogue } from './testCatalogue.ts'
import {
  createEverywhere,
  databaseAt,
  dropEverywhere,
  joinNodes,
  maintenance,
  nodesOf,
  sealEverywhere,
} from './testCluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the PostgreSQL that all test files share. */
    server: ConnectionTarget
    /** The nodes of its cluster, the coordinator first; only the server itself without a cluster. */
    nodes: ConnectionTarget[]
    /** A migrated database with the test catalogue, which each file copies. */
    template: string
  }
}

/**
 * One PostgreSQL for the whole run: the embedded one in a temporary folder, or the server at
 * TEST_DATABASE_URL, whose role must be allowed to create databases.
 */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startServer()
  const nodes = await nodesOf(server)
  const template = `bob_test_${process.pid}_${Date.now().toString(36)}`
  async function teardown(): Promise<void> {
    try {
      await dropEverywhere(nodes, template)
    } finally {
      await stop()
    }
  }
  try {
    await createEverywhere(nodes, template)
    await joinNodes(nodes, template)
    await seed(databaseAt(server, template))
    if (nodes.length > 1) await distribute(databaseAt(server, template))
    await sealEverywhere(nodes, template)
  } catch (error) {
    await teardown()
    throw error
  }
  project.provide('server', server)
  project.provide('nodes', nodes)
  project.provide('template', template)
  return teardown
}

async function startServer(): Promise<{ server: ConnectionTarget; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { server: given, stop: async () => {} }
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'bob-test-'))
  sweepAfter(dataDir)
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    const embedded = await startEmbedded({ dataDir, log: () => {}, noSync: true })
    // Test data need not survive a power cut.
    await maintenance(embedded.connection, async (db) => {
      await db`alter system set fsync = off`
      await db`select pg_reload_conf()`
    })
    return {
      server: embedded.connection,
      async stop() {
        await embedded.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Ctrl-C and a kill end the run without a teardown, so a separate process cleans up. */
function sweepAfter(dataDir: string): void {
  const program = path.join(import.meta.dirname, 'sweepAfter.mjs')
  const sweeper = spawn(process.execPath, [program, dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  sweeper.unref()
  ;(sweeper.stdin as Socket).unref()
}

async function seed(target: ConnectionTarget): Promise<void> {
  await migrateDatabase(target)
  const db = connect(target, { max: 1 })
  try {
    await writeAchievementRules(db)
    await loadCatalogue(db, testCatalogue())
  } finally {
    await db.end({ timeout: 5 })
  }
}
