import { ApiError } from '../api/ApiError.ts'

/** Milliseconds before each attempt (uploads-8). */
const RETRY_DELAYS = [0, 1000, 3000, 5000]

/** Calls `send`, and retries it where that can help. While the browser is offline, it waits for the network. */
export async function retryUpload<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempts = 0; ; ) {
    try {
      return await send()
    } catch (error) {
      const isRetryable = error instanceof UploadFailure && error.source !== undefined
      if (!isRetryable || signal?.aborted) throw error
      if (error.source?.status === 0 && !navigator.onLine) {
        await wait(signal, (resume) => window.addEventListener('online', resume, { once: true }))
        continue
      }
      const delay = RETRY_DELAYS[attempts++]
      if (delay === undefined) throw error
      await wait(signal, (resume) => setTimeout(resume, delay))
    }
  }
}

/** Resolves when what `start` has begun calls `resume`. */
function wait(signal: AbortSignal | undefined, start: (resume: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start(resolve)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Why an upload failed, for people (uploads-9). */
export class UploadFailure extends Error {
  /** Uppy retries a failure with a source. */
  readonly source: { status: number } | undefined

  constructor(message: string, status: number) {
    super(message)
    this.name = 'UploadFailure'
    this.source = isRetryable(status) ? { status } : undefined
  }
}

/** Status 0 means no answer. A 4xx is final, except 403 (an expired address), 409 and 429 (uploads-8). */
function isRetryable(status: number): boolean {
  return status < 400 || status >= 500 || [403, 409, 429].includes(status)
}

/** For a response of the storage; `body` may contain the server's message. */
export function storageFailure(status: number, body: string): UploadFailure {
  if (status === 401) return new UploadFailure(UNAUTHORIZED_MESSAGE, status)
  if (status === 403) return new UploadFailure(EXPIRED_MESSAGE, status)
  const reason = new ApiError(status, '', body).serverMessage
  return new UploadFailure(reason ? `Non 2xx: ${reason}` : 'Non 2xx', status)
}

/** For an error of a call. */
export function callFailure(error: unknown): UploadFailure {
  if (error instanceof UploadFailure) return error
  if (!(error instanceof ApiError)) return new UploadFailure('Unknown error', 0)
  if (error.status === 401) return new UploadFailure(UNAUTHORIZED_MESSAGE, 401)
  if (error.status === 403) return new UploadFailure(EXPIRED_MESSAGE, 403)
  return new UploadFailure(error.serverMessage ?? `Non 2xx: ${error.message}`, error.status)
}

const UNAUTHORIZED_MESSAGE = 'Authorization required'

/** Uppy compares with this text and then requests a new address. */
const EXPIRED_MESSAGE = 'Request has expired'
