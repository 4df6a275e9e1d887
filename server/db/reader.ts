import type { Database } from './connection.ts'

/**
 * Runs a read that may be a few seconds old: on the replica if there is one that responds and keeps up, else on the
 * primary. Never used for what a listener has just written.
 */
export interface Reader {
  <T>(read: (db: Database) => Promise<T>): Promise<T>
  /** Stops the checks and closes the connections to the replica. */
  close(): Promise<void>
}

/** Milliseconds between two checks of the replica, and its allowed lag. */
const CHECK_INTERVAL = 5000

/** Milliseconds after which a read on the replica times out and goes to the primary. */
const REPLICA_DEADLINE = 1000

/** The primary is the only database. */
export function readFromPrimary(primary: Database): Reader {
  const read = <T>(ask: (db: Database) => Promise<T>) => ask(primary)
  return Object.assign(read, { close: async () => {} })
}

/** `replica` is used from the second check on, when it has replayed all that the primary had at the first. */
export function readFromReplica(
  primary: Database,
  replica: Database,
  log: (message: string, details?: object) => void,
  checkEvery = CHECK_INTERVAL,
): Reader {
  let usable = false
  let mark: string | null = null

  function become(next: boolean, why: string, error?: unknown) {
    if (next === usable) return
    usable = next
    const from = next ? 'replica' : 'primary'
    log(`community and shared pages are read from the ${from}: ${why}`, error ? { err: error } : {})
  }

  async function check() {
    try {
      const [caughtUp, next] = await Promise.all([
        before(REPLICA_DEADLINE, hasReplayed(replica, mark)),
        // Without a primary, a replica that responds is better than nothing.
        before(REPLICA_DEADLINE, writtenUpTo(primary)).catch(() => null),
      ])
      if (mark !== null || next === null)
        become(caughtUp, caughtUp ? 'it has caught up' : 'the replica is behind')
      mark = next ?? mark
    } catch (error) {
      become(false, 'the replica does not answer', error)
    }
  }

  void check()
  const timer = setInterval(() => void check(), checkEvery)
  timer.unref()

  const read = async <T>(ask: (db: Database) => Promise<T>): Promise<T> => {
    if (!usable) return ask(primary)
    try {
      return await before(REPLICA_DEADLINE, ask(replica))
    } catch (error) {
      // A replica cancels reads that conflict with replay; the primary can answer.
      become(false, 'a read failed on the replica', error)
      return ask(primary)
    }
  }
  return Object.assign(read, {
    async close() {
      clearInterval(timer)
      await replica.end({ timeout: 5 })
    },
  })
}

/** A position in the WAL. */
async function writtenUpTo(primary: Database): Promise<string> {
  const [row] = await primary<{ lsn: string | null }[]>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end::text as lsn`
  return row?.lsn ?? '0/0'
}

/** A database that is not a replica is always up to date. */
async function hasReplayed(replica: Database, mark: string | null): Promise<boolean> {
  const [row] = await replica<{ replayed: boolean | null }[]>`
    select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= ${mark ?? '0/0'}::pg_lsn as replayed`
  return row?.replayed ?? false
}

async function before<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
