import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { HttpError } from '../../http/HttpError.ts'
import type { Picture } from './picture.ts'
import type { Answer } from './pictureWorker.ts'

/** Pictures that may wait. At about 50 ms each the last one is there before its caller's deadline. */
const QUEUE_LENGTH = 40

/** Bytes of finished pictures that are kept; a preview has about 100 KB. */
const CACHE_SIZE = 32 * 1024 * 1024

/** Milliseconds after which a picture is given up, and its worker with it. */
const RENDER_DEADLINE = 10_000

/** Milliseconds without work after which the worker goes and gives its memory back. */
const IDLE = 60_000

/** Increased when pictures look different, so that caches outside ask again. */
const LOOK = 2

export interface FinishedPicture {
  png: Buffer
  /** Changes with what the picture shows. */
  etag: string
}

interface Job {
  picture: Picture
  resolve(png: Buffer): void
  reject(error: Error): void
}

/**
 * Renders pictures in a thread of its own, one at a time, so that ratings never wait for one. The same picture is
 * rendered once, however many ask for it at the same time or, while it is kept, later.
 */
export class PictureMaker {
  /** How many pictures were really rendered. */
  rendered = 0
  readonly #finished = new Map<string, Buffer>()
  readonly #making = new Map<string, Promise<Buffer>>()
  readonly #queue: Job[] = []
  #worker: Worker | null = null
  #job: Job | null = null
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  readonly #queueLength: number
  readonly #onRendered: () => void

  constructor({ queueLength = QUEUE_LENGTH, onRendered = () => {} } = {}) {
    this.#queueLength = queueLength
    this.#onRendered = onRendered
  }

  /** Pictures that wait for their turn. */
  get waiting(): number {
    return this.#queue.length
  }

  /** @throws HttpError 503 with Retry-After when too many pictures wait already. */
  async make(picture: Picture): Promise<FinishedPicture> {
    const key = keyOf(picture)
    const png = this.#find(key) ?? (await (this.#making.get(key) ?? this.#start(key, picture)))
    return { png, etag: `"${key}"` }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#worker?.terminate()
  }

  /** A picture that was asked for goes to the end of those that are dropped. */
  #find(key: string): Buffer | undefined {
    const png = this.#finished.get(key)
    if (png) {
      this.#finished.delete(key)
      this.#finished.set(key, png)
    }
    return png
  }

  #start(key: string, picture: Picture): Promise<Buffer> {
    if (this.#queue.length >= this.#queueLength) {
      throw new HttpError(503, 'Too many pictures are being made. Please try again in a moment.', {
        retryAfter: 5,
      })
    }
    const making = new Promise<Buffer>((resolve, reject) => this.#queue.push({ picture, resolve, reject }))
      .then((png) => this.#keep(key, png))
      .finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    this.#next()
    return making
  }

  #keep(key: string, png: Buffer): Buffer {
    this.#finished.set(key, png)
    this.#bytes += png.length
    for (const [oldest, { length }] of this.#finished) {
      if (this.#bytes <= CACHE_SIZE) break
      this.#finished.delete(oldest)
      this.#bytes -= length
    }
    return png
  }

  #next(): void {
    if (this.#job) return
    const job = this.#queue.shift()
    clearTimeout(this.#timer)
    if (!job) {
      this.#timer = setTimeout(() => this.#dismiss(null), IDLE).unref()
      return
    }
    this.#job = job
    this.#timer = setTimeout(() => this.#dismiss(tooLate()), RENDER_DEADLINE)
    this.#worker ??= this.#employ()
    this.#worker.postMessage(job.picture)
  }

  #employ(): Worker {
    const worker = startWorker()
    worker.unref()
    worker.on('message', ({ png, error }: Answer) => {
      const job = this.#job
      this.#job = null
      this.rendered += 1
      this.#onRendered()
      if (png) job?.resolve(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
      else job?.reject(new Error(`A picture could not be rendered: ${error}`))
      this.#next()
    })
    worker.on('error', (error) => this.#dismiss(error))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#dismiss(new Error('The thread that makes pictures ended.'))
    })
    return worker
  }

  /** Ends the worker, and the picture that it was at with `error`; the next one gets a new worker. */
  #dismiss(error: Error | null): void {
    const worker = this.#worker
    const job = this.#job
    this.#worker = null
    this.#job = null
    void worker?.terminate()
    if (error) {
      job?.reject(error)
      this.#next()
    }
  }
}

/** A machine with too much to do, not a mistake: whoever asked may ask again. */
const tooLate = () =>
  new HttpError(503, 'The picture took too long. Please try again in a moment.', { retryAfter: 5 })

/** Content, not address: a collection that changes gets another picture. */
function keyOf(picture: Picture): string {
  return createHash('sha256')
    .update(JSON.stringify([LOOK, picture]))
    .digest('base64url')
    .slice(0, 32)
}

/** From the sources (development, tests) the thread needs tsx, from the build nothing. */
function startWorker(): Worker {
  const settings = {
    // Nothing of the environment is needed there, least of all its secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  }
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./pictureWorker.js', import.meta.url), settings)
  }
  const tsx = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  ).href
  const file = new URL('./pictureWorker.ts', import.meta.url).href
  const program = `import(${JSON.stringify(tsx)}).then(({ register }) => (register(), import(${JSON.stringify(file)})))`
  return new Worker(program, { ...settings, eval: true, execArgv: [] })
}
