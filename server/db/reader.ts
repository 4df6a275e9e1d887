import type { Database } from './connection.ts'

/**
 * Runs a read whose answer may be a few seconds old: on a replica where there is one that answers and keeps up,
 * else on the primary. What a listener has just written is never read this way.
 */
export interface Reader {
  <T>(read: (db: Database) => Promise<T>): Promise<T>
  /** Ends its checks and its connections to the replica. */
  close(): Promise<void>
}

/** Milliseconds between two looks at the replica; it may be as far behind as that. */
const CHECK_EVERY = 5000

/** Milliseconds after which a read is given up on the replica and asked of the primary. */
const REPLICA_DEADLINE = 1000

/** The primary is the only database. */
export function readFromPrimary(primary: Database): Reader {
  const read = <T>(ask: (db: Database) => Promise<T>) => ask(primary)
  return Object.assign(read, { close: async () => {} })
}

/** `replica` counts from the second look on, once it has replayed all that the primary had at the first. */
export function readFromReplica(
  primary: Database,
  replica: Database,
  log: (message: string, details?: object) => void,
  checkEvery = CHECK_EVERY,
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
        // Without a primary a replica that answers is better than nothing.
        before(REPLICA_DEADLINE, writtenUpTo(primary)).catch(() => null),
      ])
      if (mark !== null || next === null) become(caughtUp, caughtUp ? 'it keeps up' : 'the replica is behind')
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
      // A replica also ends reads that stand in the way of what it replays; the primary knows the answer.
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

/** A position in the write-ahead log. */
async function writtenUpTo(primary: Database): Promise<string> {
  const [row] = await primary<{ lsn: string | null }[]>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end::text as lsn`
  return row?.lsn ?? '0/0'
}

/** A database that is no replica has everything. */
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
