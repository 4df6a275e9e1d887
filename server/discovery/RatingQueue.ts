import type { Logger } from 'pino'
import { PREFETCH_SIZE } from '../../contract/discovery.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { CONNECT_TIMEOUT, DatabaseUnavailable } from '../db/connections.ts'
import { isCausedByRow } from '../db/databaseErrors.ts'
import type { Env } from '../env.ts'
import { FairQueue } from '../http/limits/FairQueue.ts'
import { listNextSongs } from './dealtSongs.ts'
import {
  fillHands,
  type RatingContext,
  type RatingResponse,
  readRatingContext,
  type StoredRating,
  storeRating,
  storeRatings,
} from './storeRatings.ts'

/** `concurrency` limits the transactions that store, and those that fill hands. */
interface QueueLimits {
  batchSize: number
  concurrency: number
}

/** With more transactions at a time, batches are smaller and cost more. */
const BATCHED_LIMITS: QueueLimits = { batchSize: 64, concurrency: 1 }

/** On a cluster, a statement for a single rating runs on the listener's own worker. */
const SINGLE_LIMITS: QueueLimits = { batchSize: 1, concurrency: 12 }

interface QueuedRating {
  rating: RatingContext
  /** performance.now() */
  queuedAt: number
  /** Whether it has left its batch. */
  isAlone: boolean
  resolve(answer: RatingResponse): void
  reject(error: unknown): void
}

/**
 * Stores ratings in batches, a few transactions at a time. Ratings that arrive meanwhile form the next batch, which
 * saves round trips and log flushes. A batch has one rating of a listener; a second one goes with the next.
 */
export class RatingQueue {
  /** The oldest first. */
  readonly #queue: QueuedRating[] = []
  /** The listeners of ratings under way, and of hands that are being filled. */
  readonly #busyListeners = new Set<string>()
  /** Whose listener has one dealt song left. */
  readonly #low: QueuedRating[] = []
  readonly #db: Database
  readonly #env: Env
  readonly #log: Logger
  readonly #limits: QueueLimits
  /** So that those that wait for a lock leave connections to other calls. */
  readonly #alone = new FairQueue({ concurrency: 4, waitingPerKey: 1, waiting: 10_000, retryAfter: 1 })
  #running = 0
  #filling = 0

  /** `isDistributed`: whether listener tables are distributed over a cluster. */
  constructor(db: Database, env: Env, log: Logger, { isDistributed = false } = {}) {
    this.#db = db
    this.#env = env
    this.#log = log
    this.#limits = isDistributed ? SINGLE_LIMITS : BATCHED_LIMITS
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** @throws what `storeRating` throws; DatabaseUnavailable when no connection was free in time. */
  async rate(listener: string, body: RatingContext['body']): Promise<RatingResponse> {
    const queuedAt = performance.now()
    const rating = await readRatingContext(this.#db, listener, body)
    return new Promise((resolve, reject) => {
      this.#queue.push({ rating, queuedAt, isAlone: false, resolve, reject })
      this.#storeNext()
    })
  }

  #storeNext(): void {
    const isWaiting = this.#queue.some(({ rating }) => !this.#busyListeners.has(rating.listener))
    if (!isWaiting || this.#running >= this.#limits.concurrency) return
    this.#running += 1
    let batch: QueuedRating[] | undefined
    let low: QueuedRating[] = []
    this.#db
      .onConnection(async (db) => {
        batch = this.#takeBatch()
        low = await this.#storeBatch(db, batch)
      })
      .catch((error: unknown) => {
        batch ??= this.#takeBatch()
        for (const { isAlone, reject } of batch) if (!isAlone) reject(error)
      })
      .finally(() => {
        this.#running -= 1
        this.#low.push(...low)
        this.#fillNext()
        this.#release((batch ?? []).filter((queued) => !low.includes(queued)))
      })
  }

  /** Lets the next ratings of these listeners go, except where one is being stored alone. */
  #release(ratings: readonly QueuedRating[]): void {
    for (const { isAlone, rating } of ratings) if (!isAlone) this.#busyListeners.delete(rating.listener)
    this.#storeNext()
  }

  /** Takes the oldest ratings from the queue, one of each listener, without those that have timed out. */
  #takeBatch(): QueuedRating[] {
    const batch: QueuedRating[] = []
    const others: QueuedRating[] = []
    for (const queued of this.#queue.splice(0)) {
      const { listener } = queued.rating
      if (batch.length === this.#limits.batchSize || this.#busyListeners.has(listener)) others.push(queued)
      else if (!rejectIfTimedOut(queued)) {
        this.#busyListeners.add(listener)
        batch.push(queued)
      }
    }
    this.#queue.push(...others)
    return batch
  }

  /**
   * Answers all ratings but those that are stored alone. Returns those whose listener has one dealt song left.
   * @throws errors that concern all of the ratings.
   */
  async #storeBatch(db: Queryable, batch: QueuedRating[]): Promise<QueuedRating[]> {
    if (batch.length === 0) return []
    let stored: (StoredRating | null)[]
    try {
      stored = await this.#send(db, batch)
    } catch (error) {
      if (!isCausedByRow(error) || batch.length === 1) throw error
      const half = Math.ceil(batch.length / 2)
      const low: QueuedRating[] = []
      for (const part of [batch.slice(0, half), batch.slice(half)]) {
        try {
          low.push(...(await this.#storeBatch(db, part)))
        } catch (partError) {
          if (!isCausedByRow(partError)) throw partError
          for (const { reject } of part) reject(partError)
        }
      }
      return low
    }
    const low: QueuedRating[] = []
    for (const [n, queued] of batch.entries()) {
      const { response, aheadCount } = stored[n] ?? {}
      if (response) queued.resolve(response)
      else void this.#storeAlone(queued)
      if (response?.nextSong && aheadCount !== undefined && aheadCount <= 1) low.push(queued)
    }
    return low
  }

  async #send(db: Queryable, batch: readonly QueuedRating[]): Promise<(StoredRating | null)[]> {
    const ratings = batch.map(({ rating }) => rating)
    const [only] = ratings
    if (this.#limits.batchSize > 1 || !only) return storeRatings(db, this.#env, ratings)
    return [await storeRating(db, this.#env, only)]
  }

  /** Deals songs after the answers, in a transaction of its own, so that the ratings of others need not wait. */
  #fillNext(): void {
    if (this.#filling >= this.#limits.concurrency || this.#low.length === 0) return
    this.#filling += 1
    const low = this.#low.splice(0, this.#limits.batchSize)
    const ratings = low.map(({ rating }) => rating)
    const [only] = ratings
    const fill =
      this.#limits.batchSize > 1 || !only
        ? fillHands(this.#db, ratings)
        : listNextSongs(this.#db, this.#env, only.listener, only.body.microgenreId, PREFETCH_SIZE)
    fill
      .catch((error: unknown) => this.#log.error({ err: error }, 'no songs could be dealt after ratings'))
      .finally(() => {
        this.#filling -= 1
        this.#release(low)
        this.#fillNext()
      })
  }

  /** Waits for what else the listener does, without holding up others. Their next rating waits for this one. */
  async #storeAlone(queued: QueuedRating): Promise<void> {
    const { rating, resolve, reject } = queued
    queued.isAlone = true
    const store = () =>
      this.#db.onConnection(async (db) => {
        if (!rejectIfTimedOut(queued)) resolve((await storeRating(db, this.#env, rating)).response)
      })
    await this.#alone.run(rating.listener, store).catch(reject)
    queued.isAlone = false
    this.#release([queued])
  }
}

/**
 * Rejects a rating that has been queued for too long: its caller was already told that it failed, so it must not be
 * stored.
 */
function rejectIfTimedOut({ queuedAt, reject }: QueuedRating): boolean {
  if (performance.now() - queuedAt <= CONNECT_TIMEOUT) return false
  reject(new DatabaseUnavailable('Timed out waiting for a free connection.'))
  return true
}
