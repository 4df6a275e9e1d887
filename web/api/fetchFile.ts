import { ApiError } from './ApiError.ts'
import { fetchWithTimeout } from './earlyCalls.ts'

/** Milliseconds; the server's own limit for a share picture is shorter. */
const FILE_TIMEOUT = 20_000

/**
 * Requests a file, with cookies.
 * @throws ApiError for an unsuccessful answer, and fetch's own error when there is no answer.
 */
export async function fetchFile(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetchWithTimeout(url, { signal }, FILE_TIMEOUT)
  if (response.ok) return response.blob()
  throw new ApiError(
    response.status,
    response.statusText,
    await response.text(),
    response.headers.get('retry-after'),
  )
}
