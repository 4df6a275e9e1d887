import { ApiError } from '../api/ApiError.ts'

/** `Verification failed`, then what the server said about it (spec §8). */
export function explainFailure(what: string, error: unknown): string {
  return `${what}: ${reasonOf(error)}`
}

/** `Search failed: 503`, then what the server said about it (spec §8). */
export function explainWithStatus(what: string, error: unknown): string {
  if (!(error instanceof ApiError)) return explainFailure(what, error)
  return error.serverMessage ? `${what}: ${error.status}. ${error.serverMessage}` : `${what}: ${error.status}`
}

/** What the server said, or that it said nothing. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The server does not answer. Check your connection.'
  return error.serverMessage ?? error.message
}
