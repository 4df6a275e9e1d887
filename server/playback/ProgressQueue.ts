import { setTimeout as wait } from 'node:timers/promises'
import type { BodyOf, ResponseOf } from '../../contract/endpoint.ts'
import type { reportProgress } from '../../contract/playback.ts'
import { announceLateAchievements } from '../achievements/achievements.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { isCausedByRow } from '../db/databaseErrors.ts'
import { HttpError } from '../http/HttpError.ts'
import { FairQueue } from '../http/limits/FairQueue.ts'

/**
 * Milliseconds from one batch to the next. Every listener reports every few seconds and no page waits for an answer, so
 * a process sends four statements a second instead of one for each report. A longer pause would save little, and keep
 * more calls open.
 */
const BATCH_INTERVAL = 250

/** What one listener heard of one song: one or several reports. */
interface Progress {
  listener: string
  songId: string
  seconds: number
  duration: number
  callers: Caller[]
}

interface Caller {
  resolve(answer: ResponseOf<typeof reportProgress>): void
  reject(error: unknown): void
}

/**
 * Stores how far listeners heard songs, in batches. The first report after a pause is sent at once; those that arrive
 * meanwhile form the next batch. A report that its batch could not store is stored alone.
 */
export class ProgressQueue {
  readonly #db: Database
  readonly #isDistributed: boolean
  readonly #queue = new Map<string, Progress>()
  /** So that those that wait for a lock leave connections to other calls. */
  readonly #alone = new FairQueue({ concurrency: 4, waitingPerKey: 10, waiting: 10_000, retryAfter: 1 })
  #isRunning = false

  /** `isDistributed`: whether listener tables are distributed over a cluster, which runs only statements of one listener. */
  constructor(db: Database, { isDistributed = false } = {}) {
    this.#db = db
    this.#isDistributed = isDistributed
  }

  /** @throws HttpError 404 for an unknown song or a deleted account. */
  report(
    listener: string,
    { songId, secondsListened, totalDuration }: BodyOf<typeof reportProgress>,
  ): Promise<ResponseOf<typeof reportProgress>> {
    return new Promise((resolve, reject) => {
      const key = keyOf(listener, songId)
      const queued = this.#queue.get(key)
      const seconds = Math.max(queued?.seconds ?? 0, Math.min(secondsListened, totalDuration))
      const duration = Math.max(seconds, totalDuration)
      const callers = [...(queued?.callers ?? []), { resolve, reject }]
      this.#queue.set(key, { listener, songId, seconds, duration, callers })
      if (this.#isDistributed) void this.#store(this.#dequeue())
      else if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#queue.size > 0)
      await Promise.all([this.#store(this.#dequeue()), wait(BATCH_INTERVAL, undefined, { ref: false })])
    this.#isRunning = false
  }

  #dequeue(): Progress[] {
    const batch = [...this.#queue.values()]
    this.#queue.clear()
    return batch
  }

  /** Answers all callers. Never rejects. */
  async #store(batch: Progress[]): Promise<void> {
    try {
      const stored = await this.#send(batch)
      const isStored = ({ listener, songId }: Progress) => stored.has(keyOf(listener, songId))
      const achievements = await announceLateAchievements(
        this.#db,
        batch.filter(isStored).map(({ listener }) => listener),
      )
      for (const progress of batch) {
        if (isStored(progress)) {
          for (const { resolve } of progress.callers) {
            resolve({ achievement: achievements.get(progress.listener) ?? null })
            achievements.delete(progress.listener)
          }
        } else if (batch.length > 1) void this.#storeAlone(progress)
        else rejectAll(batch, new HttpError(404, 'There is no such song.'))
      }
    } catch (error) {
      if (batch.length === 1 || !isCausedByRow(error)) return rejectAll(batch, error)
      const middle = batch.length / 2
      await this.#store(batch.slice(0, middle))
      await this.#store(batch.slice(middle))
    }
  }

  /** Waits for what else the listener does. */
  async #storeAlone(progress: Progress): Promise<void> {
    const store = () => this.#store([progress])
    await this.#alone.run(progress.listener, store).catch((error: unknown) => rejectAll([progress], error))
  }

  #send(batch: Progress[]): Promise<Set<string>> {
    if (this.#isDistributed) return storeProgress(this.#db, batch)
    return this.#db.begin(async (tx) => {
      // A crash may lose the last second, which the next report repeats.
      await tx`set local synchronous_commit = off`
      return storeProgress(tx, batch)
    })
  }
}

const keyOf = (listener: string, songId: string) => `${listener} ${songId}`

function rejectAll(batch: Progress[], error: unknown): void {
  for (const { reject } of batch.flatMap(({ callers }) => callers)) reject(error)
}

/**
 * Stores the maximum of all reports, up to the song's length (playback-20). Returns the keys of what was stored: not of
 * unknown songs or deleted accounts, and in a batch not of listeners whom another transaction has locked.
 */
async function storeProgress(db: Queryable, batch: readonly Progress[]): Promise<Set<string>> {
  const [first] = batch
  const rows = await db<{ userId: string; songId: string }[]>`
    insert into listening_progress as p (user_id, song_id, seconds_listened, total_duration)
    ${batch.length === 1 && first ? rowOf(db, first) : rowsOf(db, batch)}
    on conflict (user_id, song_id) do update set
      seconds_listened = greatest(p.seconds_listened, least(excluded.seconds_listened, excluded.total_duration)),
      total_duration = greatest(p.seconds_listened, excluded.total_duration),
      updated_at = excluded.updated_at
    returning user_id, song_id`
  return new Set(rows.map(({ userId, songId }) => keyOf(userId, songId)))
}

/** A listener whose account is gone gets no new rows. In this form a cluster sends the statement to the worker. */
const rowOf = (db: Queryable, { listener, songId, seconds, duration }: Progress) => db`
  select ${listener}, s.id, ${seconds}, ${duration} from songs s
  where s.id = ${songId} and exists (select from listener_stats l where l.user_id = ${listener} for key share)`

/** In the same order in all processes, so that no two wait for each other. */
const rowsOf = (db: Queryable, batch: readonly Progress[]) => db`
  select l.user_id, s.id, r.seconds, r.duration
  from unnest(
    ${batch.map(({ listener }) => listener)}::bigint[], ${batch.map(({ songId }) => songId)}::bigint[],
    ${batch.map(({ seconds }) => seconds)}::real[], ${batch.map(({ duration }) => duration)}::real[]
  ) as r (listener, song, seconds, duration)
  join songs s on s.id = r.song
  join (
    select user_id from listener_stats where user_id = any(${batch.map(({ listener }) => listener)}::bigint[])
    for key share skip locked
  ) as l on l.user_id = r.listener
  order by l.user_id, s.id`
