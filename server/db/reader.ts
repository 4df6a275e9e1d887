import type { Database } from './connection.ts'

/**
 * Runs a read that may be a few seconds old, on the replica if it responds and keeps up, else on the primary. Not for what
 * a listener has just written.
 */
export interface Reader {
  <T>(read: (db: Database) => Promise<T>): Promise<T>
  /** Whether reads use the replica; undefined without one. */
  isReplicaUsable?(): boolean
  /** Stops the checks and closes the connections to the replica. */
  close(): Promise<void>
}

/** Milliseconds between two checks of the replica, which may lag behind by as much. */
const CHECK_INTERVAL = 5000

/** Milliseconds after which a read moves from the replica to the primary. */
const REPLICA_DEADLINE = 1000

/** The primary is the only database. */
export function readFromPrimary(primary: Database): Reader {
  const read = <T>(query: (db: Database) => Promise<T>) => query(primary)
  return Object.assign(read, { close: async () => {} })
}

/** Uses `replica` from the second check on, once it has replayed all that the primary had written by the first. */
export function readFromReplica(
  primary: Database,
  replica: Database,
  log: (message: string, details?: object) => void,
  checkInterval = CHECK_INTERVAL,
): Reader {
  let isReplicaUsable = false
  let replayTarget: string | null = null

  function setReplicaUsable(next: boolean, reason: string, error?: unknown) {
    if (next === isReplicaUsable) return
    isReplicaUsable = next
    const from = next ? 'replica' : 'primary'
    log(`community and shared pages are read from the ${from}: ${reason}`, error ? { err: error } : {})
  }

  async function check() {
    try {
      const [caughtUp, next] = await Promise.all([
        withTimeout(REPLICA_DEADLINE, hasReplayed(replica, replayTarget)),
        // Without a primary, a replica that responds is better than nothing.
        withTimeout(REPLICA_DEADLINE, readWalPosition(primary)).catch(() => null),
      ])
      if (replayTarget !== null || next === null)
        setReplicaUsable(caughtUp, caughtUp ? 'it has caught up' : 'the replica is behind')
      replayTarget = next ?? replayTarget
    } catch (error) {
      setReplicaUsable(false, 'the replica does not answer', error)
    }
  }

  void check()
  const timer = setInterval(() => void check(), checkInterval)
  timer.unref()

  const read = async <T>(query: (db: Database) => Promise<T>): Promise<T> => {
    if (!isReplicaUsable) return query(primary)
    try {
      return await withTimeout(REPLICA_DEADLINE, query(replica))
    } catch (error) {
      // A replica cancels reads that conflict with replay; the primary can answer.
      setReplicaUsable(false, 'a read failed on the replica', error)
      return query(primary)
    }
  }
  return Object.assign(read, {
    isReplicaUsable: () => isReplicaUsable,
    async close() {
      clearInterval(timer)
      await replica.end({ timeout: 5 })
    },
  })
}

/** The last position in the write-ahead log. */
async function readWalPosition(primary: Database): Promise<string> {
  const [row] = await primary<{ lsn: string | null }[]>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end::text as lsn`
  return row?.lsn ?? '0/0'
}

/** Always true for a database that is not a replica. */
async function hasReplayed(replica: Database, replayTarget: string | null): Promise<boolean> {
  const [row] = await replica<{ replayed: boolean | null }[]>`
    select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= ${replayTarget ?? '0/0'}::pg_lsn as replayed`
  return row?.replayed ?? false
}

async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
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
