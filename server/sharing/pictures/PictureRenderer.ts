import type { Worker } from 'node:worker_threads'
import { HttpError } from '../../http/HttpError.ts'
import { startThread } from '../../process/startThread.ts'
import type { Picture } from './picture.ts'
import type { WorkerMessage } from './pictureWorker.ts'

/** Milliseconds until rendering times out and the worker is stopped. */
const RENDER_DEADLINE = 10_000

/** The same while a worker starts, which takes long on slow machines. */
const START_DEADLINE = 60_000

/** Milliseconds until an idle worker is stopped, to free its memory. */
const IDLE_TIMEOUT = 60_000

interface Job {
  resolve(png: Buffer): void
  reject(error: Error): void
}

/** Renders one picture at a time in a worker thread, so that ratings never wait. */
export class PictureRenderer {
  #worker: Worker | null = null
  #job: Job | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  /** @throws HttpError 503 with Retry-After when it times out. */
  async render(picture: Picture): Promise<Buffer> {
    if (this.#job || this.#closed) throw new Error('The renderer is busy or closed.')
    return new Promise((resolve, reject) => {
      this.#job = { resolve, reject }
      this.#wait(this.#worker ? RENDER_DEADLINE : START_DEADLINE, renderTimeout())
      this.#worker ??= this.#attachWorker()
      this.#worker.postMessage(picture)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#worker?.terminate()
  }

  #attachWorker(): Worker {
    const worker = startThread(new URL('./pictureWorker', import.meta.url), 256)
    worker.unref()
    worker.on('message', (message: WorkerMessage) => {
      if (this.#worker !== worker) return
      if (message === 'ready') return this.#wait(RENDER_DEADLINE, renderTimeout())
      const { png, error } = message
      const job = this.#job
      this.#job = null
      this.#wait(IDLE_TIMEOUT, new Error('The idle worker was stopped.'))
      if (png) job?.resolve(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
      else job?.reject(new Error(`A picture could not be rendered: ${error}`))
    })
    const end = (error: Error) => {
      if (this.#worker === worker) this.#endWorker(error)
    }
    worker.on('error', end)
    worker.on('exit', () => end(new Error('The picture worker exited.')))
    return worker
  }

  #wait(milliseconds: number, error: Error): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#endWorker(error), milliseconds)
    if (!this.#job) this.#timer.unref()
  }

  /** Stops the worker and rejects its job with `error`; the next job starts a new worker. */
  #endWorker(error: Error): void {
    const [worker, job] = [this.#worker, this.#job]
    clearTimeout(this.#timer)
    this.#worker = null
    this.#job = null
    void worker?.terminate()
    job?.reject(error)
  }
}

const renderTimeout = () =>
  new HttpError(503, 'The picture took too long. Please try again in a moment.', { retryAfter: 5 })
