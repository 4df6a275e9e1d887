import { LISTENER_HEADER } from '../../contract/endpoint.ts'

/**
 * Whom this page shows: what it changes is theirs (signin-26). It stays after the session ends, so the server refuses
 * what was entered before for the next account. With another account the page reloads.
 */
let pageListenerId: string | null = null

export const getPageListenerId = (): string | null => pageListenerId

export function setPageListenerId(id: string): void {
  pageListenerId = id
}

/** The header of calls that change something; empty for visitors. */
export const listenerHeader = (): Record<string, string> =>
  pageListenerId ? { [LISTENER_HEADER]: pageListenerId } : {}
