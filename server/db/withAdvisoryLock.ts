import type { Database, Transaction } from './connection.ts'

/**
 * Runs `work` in a transaction, with a minute for each statement. Does nothing while another process runs it. `lock` is
 * an arbitrary key of an advisory lock, which nothing else uses.
 */
export async function withAdvisoryLock(
  db: Database,
  lock: number,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  await db.begin(async (tx) => {
    const { length: isFree } = await tx`select where pg_try_advisory_xact_lock(${lock})`
    if (!isFree) return
    await tx`set local statement_timeout = '60s'`
    await work(tx)
  })
}
