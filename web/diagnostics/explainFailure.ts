import { ApiError } from '../api/ApiError.ts'

/** `Verification failed` and the server's message (diagnostics-20). */
export function explainFailure(what: string, error: unknown): string {
  return `${what}: ${failureReason(error)}`
}

/** `Search failed: 503` and the server's message (diagnostics-20). */
export function explainWithStatus(what: string, error: unknown): string {
  if (!(error instanceof ApiError)) return explainFailure(what, error)
  return error.serverMessage ? `${what}: ${error.status}. ${error.serverMessage}` : `${what}: ${error.status}`
}

/** The server's message, or that there was no answer. */
export function failureReason(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The server does not answer. Check your connection.'
  return error.serverMessage ?? error.message
}
