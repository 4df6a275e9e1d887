import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbedded } from '../../server/db/embedded/startEmbedded.ts'
import { startTestServer } from '../../tests/browser/testServer.ts'
import { layLine } from '../../tests/harness/cutConnection.ts'
import type { Scenario } from './scenario.ts'

/** Resets in one round, and milliseconds between two. */
const RESETS = 30
const PAUSE = 50

/** A server whose database is behind a proxy, which repeatedly resets all connections, also new ones. */
export async function prepareResettingProxy(): Promise<Scenario> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-proxy-'))
  const database = await startEmbedded({ dataDir: path.join(folder, 'database'), log: () => {} })
  const line = await layLine(database.connection)
  const closeDatabase = async () => {
    await line.close()
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const settings = { LOG_LEVEL: 'info', DATA_DIR: path.join(folder, 'data'), DATABASE_URL: line.target }
    const app = await startTestServer(settings)
    return {
      app,
      async inject() {
        for (let n = 0; n < RESETS; n++) {
          if (n % 3 === 0) line.resetNextAtFirstStatement()
          line.reset()
          await wait(PAUSE)
        }
      },
      async close() {
        await app.close()
        await closeDatabase()
      },
    }
  } catch (error) {
    await closeDatabase()
    throw error
  }
}
