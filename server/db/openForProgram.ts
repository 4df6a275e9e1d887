import { resolve } from 'node:path'
import type { Env } from '../env.ts'
import { type ConnectionTarget, connect, type Database } from './connection.ts'
import { findOwner } from './embedded/claimDataDir.ts'
import { hasCluster } from './embedded/cluster.ts'
import { asServer, createServerRole, requireEmbeddedConnection } from './embedded/connection.ts'
import { migrateDatabase } from './migrate.ts'
import { openDatabase } from './openDatabase.ts'

export interface ProgramDatabase {
  /** With the rights of the server. */
  db: Database
  /** With those of the tables' owner, for migrations. */
  target: ConnectionTarget
  /** The address of the running server; null when none runs or it is still starting. */
  address: string | null
  close(): Promise<void>
}

/** There is no database where the settings say. The message is for the operator. */
export class NoDatabase extends Error {
  constructor(dataDir: string) {
    super(
      `There is no database in ${dataDir}. Give this command the settings of the server, above all DATA_DIR or DATABASE_URL. If there is no server yet, start it once: npm start.`,
    )
    this.name = 'NoDatabase'
  }
}

/**
 * Opens the database for a command-line program: the running server's, or else it starts and migrates the embedded one,
 * which it creates only with `mayCreate`. The pool has one connection, and uses DATABASE_DIRECT_URL if that is set, so
 * temporary tables and session settings last.
 * @throws NoDatabase
 */
export async function openForProgram(env: Env, { mayCreate = false } = {}): Promise<ProgramDatabase> {
  const owner = await findOwner(env.DATA_DIR)
  const address = owner?.address || null
  const target =
    env.DATABASE_DIRECT_URL ??
    env.DATABASE_URL ??
    (owner ? await requireEmbeddedConnection(resolve(env.DATA_DIR)) : null)
  if (target !== null) {
    // The running server may be of an earlier version.
    if (typeof target !== 'string') await createServerRole(target)
    const db = connect(asServer(target), { max: 1 })
    return { db, target, address, close: () => db.end({ timeout: 5 }) }
  }
  // A new database would be empty, and not the one that the operator means.
  if (!mayCreate && !(await hasCluster(env.DATA_DIR))) throw new NoDatabase(resolve(env.DATA_DIR))
  const database = await openDatabase({ ...env, DATABASE_POOL: 1 }, () => {})
  try {
    await migrateDatabase(database.target)
  } catch (error) {
    await database.close()
    throw error
  }
  // Without the server's settings: a program scans whole tables, while the server looks rows up.
  const db = connect(asServer(database.target), { max: 1 })
  return {
    db,
    target: database.target,
    address,
    async close() {
      await db.end({ timeout: 5 })
      await database.close()
    },
  }
}
