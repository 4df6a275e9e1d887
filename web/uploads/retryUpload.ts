import { UploadFailure } from './UploadFailure.ts'

/** Milliseconds before each attempt (uploads-8). */
const RETRY_DELAYS = [0, 1000, 3000, 5000]

/**
 * Calls `send` and retries where that can help: at once, then after 1, 3 and 5 s. Offline it waits for the network.
 */
export async function retryUpload<T>(
  send: () => Promise<T>,
  { signal, delays = RETRY_DELAYS }: { signal?: AbortSignal; delays?: readonly number[] } = {},
): Promise<T> {
  for (let attempts = 0; ; ) {
    try {
      return await send()
    } catch (error) {
      const isRetryable = error instanceof UploadFailure && error.source !== undefined
      if (!isRetryable || signal?.aborted) throw error
      if (error.source?.status === 0 && !navigator.onLine) {
        await waitUntilOnline(signal)
        continue
      }
      const delay = delays[attempts++]
      if (delay === undefined) throw error
      await sleep(delay, signal)
    }
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    onAbort(signal, (reason) => {
      clearTimeout(timer)
      reject(reason)
    })
  })
}

function waitUntilOnline(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true })
    onAbort(signal, reject)
  })
}

function onAbort(signal: AbortSignal | undefined, stop: (reason: unknown) => void): void {
  signal?.addEventListener('abort', () => stop(signal.reason), { once: true })
}
