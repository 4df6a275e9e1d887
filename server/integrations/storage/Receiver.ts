import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { HttpError } from '../../http/HttpError.ts'
import type { IncomingBytes } from '../../http/incomingBytes.ts'
import type { DiskReserve } from './DiskReserve.ts'
import type { Part } from './ObjectStore.ts'
import type { Permit } from './signature.ts'

/** Writes to a new file, of which nothing is left if it throws. */
export type WriteContent = (file: FileHandle) => Promise<void>

/** Where received files go. */
interface ReceiverTarget {
  listParts(key: string): Promise<Part[] | null>
  put(key: string, writeContent: WriteContent): Promise<void>
  putPart(key: string, number: number, writeContent: WriteContent, digest: () => string): Promise<void>
}

/** Receives files and parts at signed addresses, within their limits and those of the disk. */
export class Receiver {
  readonly #target: ReceiverTarget
  readonly #reserve: DiskReserve
  readonly #active = new ActiveUploads()
  /** Bytes of the parts that are arriving, by key, because parts arrive concurrently. */
  readonly #arriving = new Map<string, number>()

  constructor(target: ReceiverTarget, reserve: DiskReserve) {
    this.#target = target
    this.#reserve = reserve
  }

  /** @throws HttpError 400, 404, 408, 409, 413, 429, 507; on failure no file is left. */
  receive(permit: Permit, bytes: IncomingBytes): Promise<{ etag: string; size: number }> {
    const [, listener = ''] = permit.key.split('/')
    return this.#active.run(listener, `${permit.key} ${permit.part ?? ''}`, (signal) =>
      this.#receiveWithin(permit, bytes, signal),
    )
  }

  async #receiveWithin(permit: Permit, { length, read }: IncomingBytes, signal: AbortSignal) {
    const { key, part, limit } = permit
    await this.#reserve.requireSpace(length ?? 0)
    const remaining = part === null ? limit : await this.#remainingForPart(permit)
    const max = Math.min(remaining, permit.size ?? remaining)
    if (length !== null && length > max) throw tooLong(permit)
    const reservation = part === null ? 0 : (length ?? remaining)
    this.#addReservation(key, reservation)
    try {
      const hash = createHash('md5')
      let size = 0
      const writeContent = async (file: FileHandle) => {
        for await (const chunk of read(signal)) {
          size += chunk.length
          if (size > max) throw tooLong(permit)
          hash.update(chunk)
          await file.appendFile(chunk)
          await this.#reserve.countWritten(chunk.length)
        }
        if (permit.size !== null && size !== permit.size) throw tooShort()
      }
      let digest: string | undefined
      const digestOnce = () => (digest ??= hash.digest('hex'))
      if (part === null) await this.#target.put(key, writeContent)
      else await this.#target.putPart(key, part, writeContent, digestOnce)
      return { etag: `"${digestOnce()}"`, size }
    } finally {
      this.#addReservation(key, -reservation)
    }
  }

  /** Bytes of the limit that stored and arriving parts leave. */
  async #remainingForPart({ key, part, limit }: Permit): Promise<number> {
    const arrived = await this.#target.listParts(key)
    if (!arrived) throw new HttpError(404, 'There is no such upload.')
    const taken = arrived.reduce((sum, { number, size }) => sum + (number === part ? 0 : size), 0)
    return limit - taken - (this.#arriving.get(key) ?? 0)
  }

  #addReservation(key: string, bytes: number): void {
    const reserved = (this.#arriving.get(key) ?? 0) + bytes
    if (reserved > 0) this.#arriving.set(key, reserved)
    else this.#arriving.delete(key)
  }
}

const tooLong = ({ limit, size }: Permit) =>
  new HttpError(
    413,
    size === null
      ? `The file is too large. It can have at most ${limit} bytes.`
      : `The file is larger than the ${size} bytes announced.`,
  )

const tooShort = () => new HttpError(400, 'The file is smaller than announced.')

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
class ActiveUploads {
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
