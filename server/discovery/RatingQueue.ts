import { DatabaseError } from 'pg'
import type { Database, Queryable } from '../db/connection.ts'
import { CONNECT_TIMEOUT, DatabaseUnavailable } from '../db/connections.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import {
  type RatingContext,
  type RatingResponse,
  readRatingContext,
  storeRating,
  storeRatings,
} from './storeRatings.ts'

interface QueueLimits {
  batchSize: number
  concurrency: number
}

/**
 * Larger batches cost hardly less per rating and take longer. One transaction stores while the next is sent; with
 * more in flight, each gets slower and smaller.
 */
const BATCHED_LIMITS: QueueLimits = { batchSize: 16, concurrency: 2 }

/** On a cluster, a statement for a single rating runs on the listener's own worker. */
const SINGLE_LIMITS: QueueLimits = { batchSize: 1, concurrency: 12 }

interface QueuedRating {
  rating: RatingContext
  /** performance.now() */
  queuedAt: number
  resolve(answer: RatingResponse): void
  reject(error: unknown): void
}

/**
 * Stores ratings in batches, a few transactions at a time. Ratings that arrive meanwhile form the next batch, which
 * saves round trips and log flushes. A rating whose batch fails, or whose listener is locked, is stored alone.
 */
export class RatingQueue {
  /** The oldest first. */
  readonly #queue: QueuedRating[] = []
  readonly #db: Database
  readonly #env: Env
  readonly #limits: QueueLimits
  #running = 0

  /** `isSpread`: whether listener tables are spread over a cluster. */
  constructor(db: Database, env: Env, { isSpread = false } = {}) {
    this.#db = db
    this.#env = env
    this.#limits = isSpread ? SINGLE_LIMITS : BATCHED_LIMITS
  }

  /** @throws what `storeRating` throws; DatabaseUnavailable when no connection was free in time. */
  async rate(listener: string, body: RatingContext['body']): Promise<RatingResponse> {
    const queuedAt = performance.now()
    const rating = await readRatingContext(this.#db, listener, body)
    return new Promise((resolve, reject) => {
      this.#queue.push({ rating, queuedAt, resolve, reject })
      this.#storeNext()
    })
  }

  #storeNext(): void {
    if (this.#queue.length === 0 || this.#running >= this.#limits.concurrency) return
    this.#running += 1
    let hasConnection = false
    this.#db
      .onConnection((db) => {
        hasConnection = true
        return this.#store(db, this.#dequeue())
      })
      .catch((error: unknown) => {
        if (!hasConnection) for (const rating of this.#dequeue()) rating.reject(error)
      })
      .finally(() => {
        this.#running -= 1
        this.#storeNext()
      })
  }

  /** Takes the oldest ratings from the queue, without those that have timed out. */
  #dequeue(): QueuedRating[] {
    return this.#queue.splice(0, this.#limits.batchSize).filter((rating) => !rejectIfTimedOut(rating))
  }

  /** @throws what the statement throws, because some errors end the connection. */
  async #store(db: Queryable, ratings: QueuedRating[]): Promise<void> {
    if (ratings.length === 0) return
    const contexts = ratings.map(({ rating }) => rating)
    try {
      const answers = await this.#send(db, contexts)
      for (const [n, rating] of ratings.entries()) {
        const answer = answers[n] ?? null
        if (answer === null) void this.#storeAlone(rating)
        else if (answer instanceof HttpError) rating.reject(answer)
        else rating.resolve(answer)
      }
    } catch (error) {
      for (const rating of ratings) {
        // PostgreSQL rolled back. After any other error the ratings may have been stored.
        if (error instanceof DatabaseError && ratings.length > 1) void this.#storeAlone(rating)
        else rating.reject(error)
      }
      throw error
    }
  }

  async #send(
    db: Queryable,
    contexts: readonly RatingContext[],
  ): Promise<(RatingResponse | HttpError | null)[]> {
    const [only] = contexts
    if (this.#limits.batchSize > 1 || !only) return storeRatings(db, this.#env, contexts)
    return [await storeRating(db, this.#env, only)]
  }

  async #storeAlone(queued: QueuedRating): Promise<void> {
    const { rating, resolve, reject } = queued
    await this.#db
      .onConnection(async (db) => {
        if (!rejectIfTimedOut(queued)) resolve(await storeRating(db, this.#env, rating))
      })
      .catch(reject)
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
