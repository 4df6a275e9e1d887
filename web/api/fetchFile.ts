import { ApiError } from './ApiError.ts'
import { fetchInTime } from './earlyCalls.ts'

/** Milliseconds; the server's own limit for a share picture is shorter. */
const FILE_TIMEOUT = 20_000

/**
 * Requests a file, with cookies.
 * @throws ApiError for an unsuccessful answer, and fetch's own error when there is no answer.
 */
export async function fetchFile(address: string, signal: AbortSignal): Promise<Blob> {
  const answer = await fetchInTime(address, { signal }, FILE_TIMEOUT)
  if (answer.ok) return answer.blob()
  throw new ApiError(answer.status, answer.statusText, await answer.text(), answer.headers.get('retry-after'))
}
