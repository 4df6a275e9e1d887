import { failureOfBytes, UploadFailure } from './UploadFailure.ts'
import type { UploadAddress } from './uploadRules.ts'

interface Sending {
  body: Blob | FormData
  /** Bytes so far. */
  onProgress: (loaded: number) => void
  signal?: AbortSignal
}

/**
 * Sends bytes to a signed address and returns the storage's ETag, or null when the page may not read it. Uses
 * XMLHttpRequest, because `fetch` reports no upload progress.
 */
export function sendBytes(
  { url, method, headers = {} }: UploadAddress,
  { body, onProgress, signal }: Sending,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () => {
      const { status } = request
      if (status >= 200 && status < 300) resolve(request.getResponseHeader('etag'))
      else reject(failureOfBytes(status, request.responseText))
    }
    request.onerror = () => reject(new UploadFailure('Unknown error', 0))
    request.onabort = () => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError'))
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', abort)
    request.send(body)
  })
}
