import { resolve } from 'node:path'
import type { Env } from '../env.ts'
import { type ConnectionTarget, connect, type Database } from './connection.ts'
import { type Claim, claimDataDir } from './embedded/ownership.ts'
import { startEmbedded } from './embedded/startEmbedded.ts'

export interface OpenDatabase {
  target: ConnectionTarget
  db: Database
  /** Tells a second start where this one answers. */
  announce(address: string): void
  close(): Promise<void>
}

type Log = (message: string, details?: object) => void

/**
 * The server's database: the one at DATABASE_URL, else the embedded one in DATA_DIR, started or adopted
 * and watched. The server owns DATA_DIR until `close`.
 * @throws AlreadyRunning when another server owns DATA_DIR.
 */
export async function openDatabase(env: Env, log: Log): Promise<OpenDatabase> {
  const claim = await claimDataDir(env.DATA_DIR)
  try {
    if (env.DATABASE_URL) return opened(env, env.DATABASE_URL, claim, async () => {})
    const embedded = await startEmbedded({
      dataDir: resolve(env.DATA_DIR),
      log,
      noSync: env.NODE_ENV === 'test',
    })
    embedded.watch()
    return opened(env, embedded.connection, claim, () => embedded.stop())
  } catch (error) {
    await claim.release()
    throw error
  }
}

function opened(env: Env, target: ConnectionTarget, claim: Claim, stop: () => Promise<void>): OpenDatabase {
  const db = connect(target, { max: env.DATABASE_POOL })
  return {
    target,
    db,
    announce: (address) => claim.setAddress(address),
    async close() {
      await db.end({ timeout: 5 })
      await stop()
      await claim.release()
    },
  }
}
