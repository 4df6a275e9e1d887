import { ApiError } from './ApiError.ts'

/** Why the server refused a call, such as a limit, in its words; null when it failed or did not answer. */
export function refusalMessage(error: unknown): string | null {
  return error instanceof ApiError && error.status < 500 ? error.serverMessage : null
}
