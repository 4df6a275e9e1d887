import { LISTENER_HEADER } from '../../contract/endpoint.ts'

/**
 * Whom this page shows: what it changes is theirs (signin-26). Stays after the session's end, so that nothing entered
 * before is stored for whoever signs in next. A page of another listener is loaded anew.
 */
let caller: string | null = null

export const readCaller = (): string | null => caller

export function keepCaller(id: string): void {
  caller = id
}

/** The header of calls that change something; empty for visitors. */
export const callerHeader = (): Record<string, string> => (caller ? { [LISTENER_HEADER]: caller } : {})
