import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { HttpError } from '../../http/HttpError.ts'
import { FairQueue } from '../../http/limits/FairQueue.ts'
import { CallCounts } from '../../http/limits/limitCalls.ts'
import { PictureRenderer } from './PictureRenderer.ts'
import type { Picture } from './picture.ts'

/** Queued pictures. At about 50 ms each, the last one meets its caller's deadline. */
const MAX_QUEUED = 40

const MAX_QUEUED_PER_OWNER = 12

/** Pictures of one owner that are rendered within a minute. */
const MAX_PER_MINUTE = 60

/** Bytes of cached pictures; a preview has about 100 KB. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024

/** Increase it when the design changes, so that caches fetch pictures again. */
const PICTURE_VERSION = 5

export interface RenderedPicture {
  png: Buffer
  etag: string
}

export interface PictureRequest {
  /** The listener who shares it. Owners take turns in the queue. */
  owner: string
  /** Identifies what the picture shows. A new version replaces a queued older one. */
  subject: string
  /** Aborts when the caller no longer waits. */
  signal?: AbortSignal
}

interface Job {
  key: string
  picture: Picture
  started: boolean
  callers: number
  cancel: AbortController
  result: Promise<RenderedPicture>
}

/**
 * Renders pictures one at a time. Concurrent requests for a picture share one rendering; later ones use the cache. A
 * picture whose callers have all disconnected is not rendered.
 */
export class PictureMaker {
  rendered = 0
  readonly #finished = new LRUCache<string, Buffer>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: (png) => png.length,
  })
  /** The newest job of each subject. */
  readonly #jobs = new Map<string, Job>()
  readonly #renderer = new PictureRenderer()
  readonly #queue: FairQueue
  readonly #counts = new CallCounts()
  readonly #onRendered: () => void

  constructor({ onRendered = () => {} } = {}) {
    this.#queue = new FairQueue({ waitingPerKey: MAX_QUEUED_PER_OWNER, waiting: MAX_QUEUED, retryAfter: 5 })
    this.#onRendered = onRendered
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  /** @throws HttpError 503 with Retry-After when too many pictures are queued, of this owner or in all. */
  async make(picture: Picture, { owner, subject, signal }: PictureRequest): Promise<RenderedPicture> {
    signal?.throwIfAborted()
    const key = cacheKey(picture)
    const png = this.#finished.get(key)
    if (png) return toRenderedPicture(key, png)
    const place = `${picture.format} ${subject}`
    const job = this.#join(place, key, picture) ?? this.#start(place, key, picture, owner)
    return this.#wait(job, place, signal)
  }

  close(): Promise<void> {
    return this.#renderer.close()
  }

  #join(place: string, key: string, picture: Picture): Job | undefined {
    const job = this.#jobs.get(place)
    if (!job || (job.started && job.key !== key)) return undefined
    Object.assign(job, { key, picture })
    return job
  }

  #start(place: string, key: string, picture: Picture, owner: string): Job {
    const { current, wait } = this.#counts.add(owner)
    if (current > MAX_PER_MINUTE) throw tooManyPictures(wait)
    const cancel = new AbortController()
    const run = async () => {
      job.started = true
      const png = this.#finished.get(job.key) ?? (await this.#render(job))
      return toRenderedPicture(job.key, png)
    }
    const result = this.#queue
      .run(owner, run, cancel.signal)
      .catch(rethrowAsUnavailable)
      .finally(() => this.#forget(place, job))
    const job: Job = { key, picture, started: false, callers: 0, cancel, result }
    this.#jobs.set(place, job)
    return job
  }

  async #wait(job: Job, place: string, signal?: AbortSignal): Promise<RenderedPicture> {
    const leave = () => {
      job.callers -= 1
      if (job.callers > 0 || job.started) return
      this.#forget(place, job)
      job.cancel.abort(signal?.reason)
    }
    job.callers += 1
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await job.result
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #forget(place: string, job: Job): void {
    if (this.#jobs.get(place) === job) this.#jobs.delete(place)
  }

  async #render({ key, picture }: Job): Promise<Buffer> {
    const png = await this.#renderer.render(picture)
    this.rendered += 1
    this.#onRendered()
    this.#finished.set(key, png)
    return png
  }
}

const toRenderedPicture = (key: string, png: Buffer): RenderedPicture => ({ png, etag: `"${key}"` })

/** 503 instead of 429, because the caller may not be the cause of the load. */
function rethrowAsUnavailable(error: unknown): never {
  if (!(error instanceof HttpError) || error.status !== 429) throw error
  throw tooManyPictures(5)
}

const tooManyPictures = (retryAfter: number) =>
  new HttpError(503, 'Too many pictures are being made. Please try again in a moment.', { retryAfter })

/** By content, because a changed collection has another picture. */
function cacheKey(picture: Picture): string {
  return createHash('sha256')
    .update(JSON.stringify([PICTURE_VERSION, picture]))
    .digest('base64url')
    .slice(0, 32)
}
