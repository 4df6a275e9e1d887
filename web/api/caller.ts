import { LISTENER_HEADER } from '../../contract/endpoint.ts'

/**
 * Whom this page shows: what it changes is theirs (signin-26). It stays after the session ends, so the server refuses
 * what was entered before for the next account. With another account the page reloads.
 */
let caller: string | null = null

export const readCaller = (): string | null => caller

export function keepCaller(id: string): void {
  caller = id
}

/** The header of calls that change something; empty for visitors. */
export const callerHeader = (): Record<string, string> => (caller ? { [LISTENER_HEADER]: caller } : {})
