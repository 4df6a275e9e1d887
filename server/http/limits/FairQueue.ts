import { HttpError, withDeadline } from '../HttpError.ts'

interface Options {
  /** Concurrent jobs, each of a different key. */
  concurrency?: number
  /** Queued jobs of one key. */
  waitingPerKey: number
  /** Queued jobs of all keys. */
  waiting: number
  /** Seconds for the Retry-After of a rejected job. */
  retryAfter: number
  /** Milliseconds after which a running job times out, and the next one starts. */
  timeout?: number
}

/**
 * Runs a few expensive jobs at a time. Keys (listeners, networks) take turns, and at most one job of a key runs, so many
 * jobs of a key delay only that key.
 */
export class FairQueue {
  /** In the order of the keys' turns. */
  readonly #queues = new Map<string, Array<() => void>>()
  readonly #running = new Set<string>()
  readonly #options: Options & { concurrency: number }
  #waiting = 0

  constructor(options: Options) {
    this.#options = { concurrency: 1, ...options }
  }

  /** Queued jobs. */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * Runs `job` when its turn comes. A job that is queued when `signal` aborts never starts.
   * @throws HttpError 429 when too many jobs of `key` are queued, 503 when too many in all are, or when the job takes
   * too long; the signal's reason
   */
  async run<T>(key: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    await this.#turn(key, signal)
    const { timeout } = this.#options
    try {
      return await (timeout === undefined ? job() : withDeadline(job(), timeout))
    } finally {
      this.#finish(key)
    }
  }

  #turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(key, start)
        reject(signal?.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      if (this.#mayStart(key)) {
        this.#running.add(key)
        return resolve()
      }
      this.#enter(key, start)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #mayStart(key: string): boolean {
    return this.#running.size < this.#options.concurrency && !this.#running.has(key)
  }

  #enter(key: string, start: () => void): void {
    const { waitingPerKey, waiting, retryAfter } = this.#options
    const queue = this.#queues.get(key) ?? []
    if (queue.length >= waitingPerKey) {
      throw new HttpError(429, 'Please wait until your earlier requests are done.', { retryAfter })
    }
    if (this.#waiting >= waiting) {
      throw new HttpError(503, 'The service is busy. Please try again in a moment.', { retryAfter })
    }
    queue.push(start)
    this.#queues.set(key, queue)
    this.#waiting += 1
  }

  #remove(key: string, start: () => void): void {
    const queue = this.#queues.get(key)
    const place = queue?.indexOf(start) ?? -1
    if (!queue || place < 0) return
    queue.splice(place, 1)
    this.#waiting -= 1
    if (queue.length === 0) this.#queues.delete(key)
  }

  /** Moves the key behind all others. */
  #finish(key: string): void {
    this.#running.delete(key)
    const queue = this.#queues.get(key)
    if (queue) {
      this.#queues.delete(key)
      this.#queues.set(key, queue)
    }
    this.#startNext()
  }

  #startNext(): void {
    for (const [key, [start]] of this.#queues) {
      if (!start || !this.#mayStart(key)) continue
      this.#remove(key, start)
      this.#running.add(key)
      start()
    }
  }
}
