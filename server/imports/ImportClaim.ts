import type { Database, Transaction } from '../db/connection.ts'
import type { ImportChoices } from './applyImport.ts'

/** Milliseconds between two signs of life, which also show how far it is. */
const BEAT_INTERVAL = 400

/** Seconds without one after which another process takes the import over. */
const MAX_SILENCE_SECONDS = 15

export interface ClaimedImport {
  id: string
  userId: string
  status: 'reading' | 'applying' | 'reverting'
  uploadKey: string | null
  columns: string | null
  /** Times that its file began to be read, and the process ended. */
  tries: number
  choices: ImportChoices | null
}

/** Claims the next import that waits, or whose process ended: of the listener of whom fewest were read in the last hour. */
export async function claimImport(db: Database, stopping: AbortSignal): Promise<ImportClaim | null> {
  const [row] = await db<(ClaimedImport & { token: string })[]>`
    update imports set status = case status when 'waiting' then 'reading' else status end, updated_at = clock_timestamp()
    where id = (
      select id from imports i
      where status = 'waiting' or (status in ('reading', 'applying', 'reverting')
        and updated_at < now() - ${MAX_SILENCE_SECONDS} * interval '1 second')
      order by status in ('applying', 'reverting') desc, (
        select count(*) from imports o
        where o.user_id = i.user_id and o.status <> 'waiting' and o.updated_at > now() - interval '1 hour'), id
      limit 1 for update skip locked)
    returning id, user_id, status, upload_key, columns, choices, tries, updated_at::text as token`
  return row ? new ImportClaim(db, row, stopping) : null
}

/**
 * An import that this process works on, until it ends, another process took it over, or the listener removed it. Two may
 * apply one, batch by batch, but not read it.
 */
export class ImportClaim {
  readonly signal: AbortSignal
  /** Shown to the listener. */
  readonly progress = { bytes: 0, size: 0, rows: 0 }
  readonly import: ClaimedImport
  readonly #lost = new AbortController()
  readonly #db: Database
  readonly #timer: NodeJS.Timeout
  #token: string
  #lastChange: Promise<void> = Promise.resolve()

  constructor(db: Database, { token, ...row }: ClaimedImport & { token: string }, stopping: AbortSignal) {
    this.#db = db
    this.#token = token
    this.import = row
    this.signal = AbortSignal.any([stopping, this.#lost.signal])
    this.#timer = setInterval(() => void this.change().catch(() => {}), BEAT_INTERVAL)
  }

  /** Does `work` in a transaction, while the import is this process's. @throws the signal's reason when it no longer is. */
  change(work: (tx: Transaction) => Promise<unknown> = async () => {}): Promise<void> {
    const change = this.#lastChange.then(async () => {
      this.signal.throwIfAborted()
      const { bytes, size, rows } = this.progress
      this.#token = await this.#db.begin(async (tx) => {
        // Before the import, like the deletion of an account: a second update of the import locks its listener, too.
        await tx`select from users where id = ${this.import.userId} for key share`
        const [row] = await tx<{ token: string }[]>`
          update imports set updated_at = clock_timestamp(),
            bytes_read = greatest(bytes_read, ${bytes}), bytes_total = greatest(bytes_total, ${size}), rows_read = ${rows}
          where id = ${this.import.id} and status = ${this.import.status}
            and (status <> 'reading' or updated_at = ${this.#token}::timestamptz)
          returning updated_at::text as token`
        if (!row) this.#lost.abort()
        this.signal.throwIfAborted()
        await work(tx)
        return row?.token ?? ''
      })
    })
    this.#lastChange = change.catch(() => {})
    return change
  }

  /**
   * Ends the work. What was stopped before its end can be taken over at once, and what failed after a while. Neither a stop
   * nor an outage of the database counts as a try.
   */
  async end({ isOutage }: { isOutage: boolean }): Promise<void> {
    clearInterval(this.#timer)
    await this.#lastChange
    await this.#db`
      update imports set tries = greatest(tries - 1, 0),
        updated_at = case when ${isOutage} and status = ${this.import.status} then updated_at else '-infinity' end
      where id = ${this.import.id} and (${this.signal.aborted || isOutage} or status <> ${this.import.status})
        and (status in ('applying', 'reverting') or status = 'reading' and updated_at = ${this.#token}::timestamptz)`
  }
}
