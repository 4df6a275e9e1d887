import { HttpError } from '../../http/HttpError.ts'

/** Files and parts that one listener may send at the same time: a browser sends six per tab. */
const MAX_CONCURRENT_UPLOADS = 24

interface ActiveUpload {
  controller: AbortController
  ended: Promise<void>
}

/**
 * The uploads arriving in this process: a limited number per listener, and each name once at a time. The last sender
 * wins, so that a phone that lost its connection need not wait until the server notices.
 */
export class ActiveUploads {
  readonly #uses = new Map<string, ActiveUpload>()
  readonly #counts = new Map<string, number>()

  /** @throws HttpError 429 for too many of `listener`. `take` is aborted, with 409, when `name` is sent again. */
  async run<T>(listener: string, name: string, receive: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const count = this.#counts.get(listener) ?? 0
    if (count >= MAX_CONCURRENT_UPLOADS) {
      throw new HttpError(429, 'Too many uploads at once. Please wait until some are done.', {
        retryAfter: 5,
      })
    }
    this.#counts.set(listener, count + 1)
    try {
      return await this.#runAlone(name, receive)
    } finally {
      const remaining = (this.#counts.get(listener) ?? 0) - 1
      if (remaining > 0) this.#counts.set(listener, remaining)
      else this.#counts.delete(listener)
    }
  }

  async #runAlone<T>(name: string, receive: (signal: AbortSignal) => Promise<T>): Promise<T> {
    for (let other = this.#uses.get(name); other; other = this.#uses.get(name)) {
      other.controller.abort(new HttpError(409, 'The same file is being uploaded again.'))
      await other.ended
    }
    const controller = new AbortController()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#uses.set(name, { controller, ended })
    try {
      return await receive(controller.signal)
    } finally {
      this.#uses.delete(name)
      end()
    }
  }
}
