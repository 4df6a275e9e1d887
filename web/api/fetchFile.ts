import { ApiError } from './ApiError.ts'

/**
 * Requests a file, with cookies.
 * @throws ApiError for an unsuccessful answer, and fetch's own error when there is no answer.
 */
export async function fetchFile(address: string, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(address, { credentials: 'include', signal })
  if (answer.ok) return answer.blob()
  throw new ApiError(answer.status, answer.statusText, await answer.text(), answer.headers.get('retry-after'))
}
