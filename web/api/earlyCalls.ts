import { withBasePath } from './paths.ts'

/** What the server answered, with its body read. */
export interface FetchedResponse {
  response: Response
  text: string
}

const earlyResponses = new Map<string, Promise<FetchedResponse>>()

/**
 * Begins a GET that the page is going to make. The page's call then gets this answer, or its failure, once. `onBody` gets
 * the body before the page does.
 */
export function startEarlyCall(
  path: string,
  headers: RequestHeaders = {},
  onBody: (body: string) => void = () => {},
): void {
  const promise = fetchResponse(path, { method: 'GET', headers }).then((fetched) => {
    if (fetched.response.ok) onBody(fetched.text)
    return fetched
  })
  // The page may never make the call.
  promise.catch(() => {})
  earlyResponses.set(earlyCallKey(path, headers), promise)
}

/** Takes the response of an early call; each is taken once. */
export function takeEarlyResponse(
  path: string,
  headers: RequestHeaders,
): Promise<FetchedResponse> | undefined {
  const key = earlyCallKey(path, headers)
  const promise = earlyResponses.get(key)
  earlyResponses.delete(key)
  return promise
}

/** Whether an early call is still to be taken. */
export const hasEarlyCall = (path: string): boolean => earlyResponses.has(path)

/** When the session turned out to have ended. */
export const clearEarlyCalls = (): void => earlyResponses.clear()

/** Milliseconds after which a call without a limit of its own has failed (calls-12). */
const DEFAULT_TIMEOUT = 12_000

/** Sends a call with its cookies (calls-1), and waits at most `timeout` milliseconds for the whole answer. */
export async function fetchResponse(
  path: string,
  options: RequestInit,
  timeout = DEFAULT_TIMEOUT,
): Promise<FetchedResponse> {
  // The API redirects nobody; a proxy's redirect to its sign-in page would fail like a broken connection.
  const response = await fetchWithTimeout(withBasePath(path), { redirect: 'manual', ...options }, timeout)
  return { response, text: await response.text() }
}

/** `fetch` with cookies, whose answer and body fail after `timeout` milliseconds. */
export function fetchWithTimeout(url: string, options: RequestInit, timeout: number): Promise<Response> {
  const timeoutSignal = AbortSignal.timeout(timeout)
  // Browsers before 2024 cannot combine signals. A cancelled call only saves work.
  const signal =
    options.signal && AbortSignal.any ? AbortSignal.any([options.signal, timeoutSignal]) : timeoutSignal
  return fetch(url, { credentials: 'include', ...options, signal })
}

/** `_t` only makes the address unique. */
const earlyCallKey = (path: string, { Range = '' }: RequestHeaders) => path.replace(/\?_t=\d+$/, '') + Range

type RequestHeaders = Record<string, string>
