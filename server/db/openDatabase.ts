import { resolve } from 'node:path'
import type { Env } from '../env.ts'
import { type ConnectionTarget, connect, type Database } from './connection.ts'
import { type Claim, claimDataDir } from './embedded/ownership.ts'
import { startEmbedded } from './embedded/startEmbedded.ts'
import { type Reader, readFromPrimary, readFromReplica } from './reader.ts'

export interface OpenDatabase {
  /**
   * For work that needs a connection of its own, such as migrations: never a pooler where a direct address is
   * configured.
   */
  target: ConnectionTarget
  db: Database
  /** One more connection for the roll-up, so that it never waits for calls, nor they for it. */
  background: Database
  read: Reader
  /** Sets the address that a second start prints. */
  announce(address: string): void
  close(): Promise<void>
}

type Log = (message: string, details?: object) => void

/** Milliseconds; longer than the statement timeout. */
const SILENCE = 7000

/**
 * The server's database: the one at DATABASE_URL, else the embedded one in DATA_DIR, which is started or adopted and
 * monitored. The server owns DATA_DIR until `close`.
 * @throws AlreadyRunning when another server owns DATA_DIR.
 */
export async function openDatabase(env: Env, log: Log): Promise<OpenDatabase> {
  const claim = await claimDataDir(env.DATA_DIR)
  try {
    if (env.DATABASE_URL) return opened(env, env.DATABASE_URL, claim, log, async () => {})
    const embedded = await startEmbedded({
      dataDir: resolve(env.DATA_DIR),
      log,
      noSync: env.NODE_ENV === 'test',
    })
    embedded.watch()
    return opened(env, embedded.connection, claim, log, () => embedded.stop())
  } catch (error) {
    await claim.release()
    throw error
  }
}

function opened(
  env: Env,
  target: ConnectionTarget,
  claim: Claim,
  log: Log,
  stop: () => Promise<void>,
): OpenDatabase {
  const pool = { max: env.DATABASE_POOL, prepare: env.DATABASE_PREPARE, lookups: true }
  const own = { ...pool, ...(target === env.DATABASE_URL ? { silence: SILENCE } : {}) }
  const db = connect(target, { ...own, max: Math.max(1, env.DATABASE_POOL - 1) })
  const background = connect(target, { ...own, max: 1 })
  const read = env.DATABASE_READ_URL
    ? readFromReplica(db, connect(env.DATABASE_READ_URL, { ...pool, silence: SILENCE }), log)
    : readFromPrimary(db)
  return {
    target: env.DATABASE_DIRECT_URL ?? target,
    db,
    background,
    read,
    announce: (address) => claim.setAddress(address),
    async close() {
      await Promise.all([db.end({ timeout: 5 }), background.end({ timeout: 5 }), read.close()])
      await stop()
      await claim.release()
    },
  }
}
