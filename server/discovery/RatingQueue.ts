import { DatabaseError } from 'pg'
import type { Database, Queryable } from '../db/connection.ts'
import { CONNECT_TIMEOUT, DatabaseUnavailable } from '../db/connections.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { type AskedRating, askRating, type RatingAnswer, rateAlone, rateSongs } from './rateSong.ts'

/** Ratings of one transaction. More would cost hardly less each, and take longer to be stored. */
const MOST = 16

interface Waiting {
  asked: AskedRating
  /** performance.now() */
  since: number
  resolve(answer: RatingAnswer): void
  reject(error: unknown): void
}

/**
 * Stores ratings. Those that wait for a connection are stored together when one is free: that saves round trips, and
 * flushes of the database's log. A rating that fails in company, or whose listener is locked, is stored alone.
 */
export class RatingQueue {
  /** The oldest first. Each has asked for a connection, which stores as many as there are. */
  #waiting: Waiting[] = []
  readonly #db: Database
  readonly #env: Env

  constructor(db: Database, env: Env) {
    this.#db = db
    this.#env = env
  }

  /** @throws what `rateAlone` throws; DatabaseUnavailable when no connection was free in time. */
  async rate(listener: string, body: AskedRating['body']): Promise<RatingAnswer> {
    const asked = await askRating(this.#db, listener, body)
    return new Promise((resolve, reject) => {
      const rating = { asked, since: performance.now(), resolve, reject }
      this.#waiting.push(rating)
      this.#db.onConnection((db) => this.#store(db)).catch((error: unknown) => this.#giveUp(rating, error))
    })
  }

  /** No connection was free, unless the rating was stored, or has failed, with one that another rating got. */
  #giveUp(rating: Waiting, error: unknown): void {
    if (!this.#waiting.includes(rating)) return
    this.#waiting = this.#waiting.filter((each) => each !== rating)
    rating.reject(error)
  }

  /** @throws what its statement throws, because some errors end the connection. */
  async #store(db: Queryable): Promise<void> {
    const ratings = this.#waiting.splice(0, MOST)
    if (ratings.length > 1) await this.#storeTogether(db, ratings)
    else if (ratings[0]) await this.#storeAlone(db, ratings[0])
  }

  async #storeTogether(db: Queryable, ratings: Waiting[]): Promise<void> {
    const asked = ratings.map((rating) => rating.asked)
    try {
      const answers = await rateSongs(db, this.#env, asked, { skipLocked: true })
      for (const [n, rating] of ratings.entries()) {
        const answer = answers[n] ?? null
        if (answer === null) this.#tryAlone(rating)
        else if (answer instanceof HttpError) rating.reject(answer)
        else rating.resolve(answer)
      }
    } catch (error) {
      for (const rating of ratings) {
        // PostgreSQL has rolled back. After other errors the ratings may be stored.
        if (error instanceof DatabaseError) this.#tryAlone(rating)
        else rating.reject(error)
      }
      throw error
    }
  }

  /** Unless the caller has had an answer by then. */
  #tryAlone(rating: Waiting): void {
    if (performance.now() - rating.since > CONNECT_TIMEOUT)
      rating.reject(new DatabaseUnavailable('Timed out waiting for a free connection.'))
    else this.#storeAlone(this.#db, rating).catch(() => {})
  }

  async #storeAlone(db: Queryable, { asked, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await rateAlone(db, this.#env, asked))
    } catch (error) {
      reject(error)
      throw error
    }
  }
}
