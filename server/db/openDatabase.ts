import { resolve } from 'node:path'
import type { Env } from '../env.ts'
import { type ConnectionTarget, connect, type Database, type PoolOptions } from './connection.ts'
import { claimDataDir } from './embedded/claimDataDir.ts'
import { asServer, requireEmbeddedConnection } from './embedded/connection.ts'
import { startEmbedded } from './embedded/startEmbedded.ts'
import { type Reader, readFromPrimary, readFromReplica } from './reader.ts'

export interface OpenDatabase {
  /**
   * For migrations and functions, which need a connection of their own and, in the embedded database, the role that owns
   * the tables: DATABASE_DIRECT_URL if it is set, because DATABASE_URL may be a pooler's.
   */
  target: ConnectionTarget
  db: Database
  /** A connection for the roll-up, so that neither it nor calls wait for the other. */
  background: Database
  read: Reader
  /** Sets the address that a second start prints. */
  setAddress(address: string): void
  close(): Promise<void>
}

type Log = (message: string, details?: object) => void

/** Milliseconds; longer than the statement timeout. */
const RESPONSE_TIMEOUT = 7000

/** DATA_DIR and the embedded database, if there is one: the server processes of a machine share them. */
export interface SharedData {
  target: ConnectionTarget
  /** Sets the address that a second start prints. */
  setAddress(address: string): void
  /** Stops the embedded database and releases DATA_DIR. */
  close(): Promise<void>
}

/**
 * Claims DATA_DIR for this process. Without DATABASE_URL it also starts or adopts the embedded database there, and restarts
 * that when it dies.
 * @throws AlreadyRunning when another server owns DATA_DIR.
 */
export async function acquireDataDir(env: Env, log: Log): Promise<SharedData> {
  const claim = await claimDataDir(env.DATA_DIR)
  const setAddress = (address: string) => claim.setAddress(address)
  try {
    if (env.DATABASE_URL) return { target: env.DATABASE_URL, setAddress, close: () => claim.release() }
    const embedded = await startEmbedded({
      dataDir: resolve(env.DATA_DIR),
      log,
      noSync: env.NODE_ENV === 'test',
    })
    embedded.watch()
    return {
      target: embedded.connection,
      setAddress,
      async close() {
        await embedded.stop()
        await claim.release()
      },
    }
  } catch (error) {
    await claim.release()
    throw error
  }
}

/** The data that another process of this machine has acquired. */
export async function joinDataDir(env: Env): Promise<SharedData> {
  const target = env.DATABASE_URL ?? (await requireEmbeddedConnection(resolve(env.DATA_DIR)))
  return { target, setAddress: () => {}, close: async () => {} }
}

/** Opens the server's pools on the data that `acquire` returns. Closing them closes the data. */
export async function openDatabase(env: Env, log: Log, acquire = acquireDataDir): Promise<OpenDatabase> {
  const data = await acquire(env, log)
  try {
    return openPools(env, data, log)
  } catch (error) {
    await data.close()
    throw error
  }
}

function openPools(env: Env, { target, setAddress, close }: SharedData, log: Log): OpenDatabase {
  const pool = { max: env.DATABASE_POOL, prepare: env.DATABASE_PREPARE, lookups: true }
  const primary: PoolOptions = { ...pool }
  if (target === env.DATABASE_URL) primary.responseTimeout = RESPONSE_TIMEOUT
  const db = connect(asServer(target), { ...primary, max: Math.max(1, env.DATABASE_POOL - 1) })
  const background = connect(asServer(target), { ...primary, max: 1 })
  const read = env.DATABASE_READ_URL
    ? readFromReplica(db, connect(env.DATABASE_READ_URL, { ...pool, responseTimeout: RESPONSE_TIMEOUT }), log)
    : readFromPrimary(db)
  return {
    target: env.DATABASE_DIRECT_URL ?? target,
    db,
    background,
    read,
    setAddress,
    async close() {
      await Promise.all([db.end({ timeout: 5 }), background.end({ timeout: 5 }), read.close()])
      await close()
    },
  }
}
