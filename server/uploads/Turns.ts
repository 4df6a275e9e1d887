import { HttpError } from '../http/HttpError.ts'

/** Lets one piece of work run at a time, in the order of asking; the others wait, and hold nothing meanwhile. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  readonly #mostWaiting: number

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting
  }

  /** @throws HttpError 503 with Retry-After when too many wait already. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#mostWaiting) {
      throw new HttpError(503, 'Too many pictures are being made. Please try again in a moment.', {
        retryAfter: 10,
      })
    }
    this.#waiting += 1
    const turn = this.#last.then(work, work)
    this.#last = turn
    try {
      return await turn
    } finally {
      this.#waiting -= 1
    }
  }
}
