import { addressOf } from './address.ts'

/** What the server answered, with its body read. */
export interface FetchedResponse {
  response: Response
  text: string
}

const early = new Map<string, Promise<FetchedResponse>>()

/**
 * Begins a GET that the page is going to make. The page's call then gets this answer, or its failure, once. `use` gets
 * the body before the page does.
 */
export function beginCall(
  path: string,
  headers: RequestHeaders = {},
  use: (body: string) => void = () => {},
): void {
  const answer = fetchAnswer(path, { method: 'GET', headers }).then((given) => {
    if (given.response.ok) use(given.text)
    return given
  })
  // The page may never make the call.
  answer.catch(() => {})
  early.set(keyOf(path, headers), answer)
}

/** The answer to a call that was begun early, for the one who makes it. */
export function takeEarly(path: string, headers: RequestHeaders): Promise<FetchedResponse> | undefined {
  const key = keyOf(path, headers)
  const answer = early.get(key)
  early.delete(key)
  return answer
}

/** Whether this call was begun early and is still to be made. */
export const isEarly = (path: string): boolean => early.has(path)

/** For answers to somebody who turned out to be signed out. */
export const dropEarly = (): void => early.clear()

/** Milliseconds after which a call without a limit of its own has failed (calls-12). */
const DEFAULT_TIMEOUT = 12_000

/** Sends a call with its cookies (calls-1), and waits at most `limit` milliseconds for the whole answer. */
export async function fetchAnswer(
  path: string,
  options: RequestInit,
  limit = DEFAULT_TIMEOUT,
): Promise<FetchedResponse> {
  // The API redirects nobody; a proxy's redirect to its sign-in page would fail like a broken connection.
  const response = await fetchInTime(addressOf(path), { redirect: 'manual', ...options }, limit)
  return { response, text: await response.text() }
}

/** `fetch` with cookies, whose answer and body fail after `limit` milliseconds. */
export function fetchInTime(address: string, options: RequestInit, limit: number): Promise<Response> {
  const late = AbortSignal.timeout(limit)
  // Browsers before 2024 cannot combine signals. A cancelled call only saves work.
  const signal = options.signal && AbortSignal.any ? AbortSignal.any([options.signal, late]) : late
  return fetch(address, { credentials: 'include', ...options, signal })
}

/** `_t` only makes the address unique. */
const keyOf = (path: string, { Range = '' }: RequestHeaders) => path.replace(/\?_t=\d+$/, '') + Range

type RequestHeaders = Record<string, string>
