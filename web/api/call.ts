import {
  type BodyOf,
  type Endpoint,
  LISTENER_HEADER,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '../../contract/endpoint.ts'
import { ApiError, isSignInPage, ProxySessionError } from './ApiError.ts'
import { fetchResponse, fetchWithTimeout, takeEarlyResponse } from './earlyCalls.ts'
import { recordServerBuild, trackMutation } from './newBuild.ts'
import { fillPath, formatQuery } from './paths.ts'

/** The input of a call: `params`, `query` and `body` are required exactly where its endpoint has them. */
export type Input<E extends Endpoint> = (keyof ParamsOf<E> extends never
  ? { params?: undefined }
  : { params: ParamsOf<E> }) &
  (E extends { query: unknown } ? Optional<'query', QueryOf<E>> : { query?: undefined }) &
  (E extends { body: unknown } ? { body: BodyOf<E> } : { body?: undefined })

type Optional<Name extends string, Value> = object extends Value
  ? { [K in Name]?: Value }
  : { [K in Name]: Value }

/** The input is optional when nothing in it is required. */
export type InputArgument<E extends Endpoint> =
  object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

interface Options {
  signal?: AbortSignal
  /** Milliseconds that the call may take, other than those of calls-12. */
  timeout?: number
}

/**
 * Makes one call of the contract, with cookies and JSON (calls-1).
 * @throws ApiError for an unsuccessful answer, ProxySessionError for a proxy's sign-in page, and fetch's own error when
 *   there is no answer.
 */
export async function call<const E extends Endpoint>(
  endpoint: E,
  ...[input, options]: object extends Input<E>
    ? [input?: Input<E>, options?: Options]
    : [input: Input<E>, options?: Options]
): Promise<ResponseOf<E>> {
  const { value } = await send(endpoint, input ?? {}, options)
  return value as ResponseOf<E>
}

/** Some items of a list, and its length. */
export interface ListRange<Item> {
  items: Item[]
  total: number
}

/**
 * Requests at most `limit` items of a list, after the first `offset`. A server that ignores ranges returns the whole
 * list. A list that ends before has no such items.
 */
export async function callRange<const E extends Endpoint & { ranges: 'items' }>(
  endpoint: E,
  input: Input<E>,
  { offset = 0, limit }: { offset?: number; limit: number },
  options?: Options,
): Promise<ListRange<ItemOf<E>>> {
  try {
    const range = { Range: `items=${offset}-${offset + limit - 1}` }
    const { value, headers } = await send(endpoint, input, options, range)
    const items = value as ItemOf<E>[]
    const total = /^items \d+-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
    if (total !== undefined) return { items, total: Number(total) }
    return { items: items.slice(offset, offset + limit), total: items.length }
  } catch (error) {
    if (error instanceof ApiError && error.status === 416) return { items: [], total: offset }
    throw error
  }
}

/** A page of a list, and the cursor of the next one, if there is one. */
export interface ListPage<Item> {
  items: Item[]
  next: string | undefined
}

/** Requests a page of a list whose `Link` names the next one. */
export async function callPage<const E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: Options,
): Promise<ListPage<ItemOf<E>>> {
  const { value, headers } = await send(endpoint, input, options)
  const next = /^<(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  return { items: value as ItemOf<E>[], next: new URLSearchParams(next).get('after') ?? undefined }
}

type ItemOf<E extends Endpoint> = ResponseOf<E> extends (infer Item)[] ? Item : never

async function send(
  endpoint: Endpoint,
  { params, query, body }: LooseInput,
  options: Options = {},
  headers: Record<string, string> = {},
): Promise<{ value: unknown; headers: Headers }> {
  const bodyText = body === undefined ? null : JSON.stringify(body)
  const path = fillPath(endpoint, params) + formatQuery(query)
  const earlyResponse = endpoint.method === 'GET' ? takeEarlyResponse(path, headers) : undefined
  const isMutation = endpoint.method !== 'GET'
  const request: RequestInit = {
    method: endpoint.method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(isMutation ? listenerHeader() : {}),
    },
    body: bodyText,
    // Finishes the request when the page is closed right after a rating.
    keepalive: isMutation && (bodyText?.length ?? 0) < MAX_KEEPALIVE_LENGTH,
    signal: options.signal ?? null,
  }
  const sendRequest = () => fetchResponse(path, request, options.timeout ?? timeoutOf(endpoint))
  const { response, text } = await (earlyResponse ??
    (isMutation ? trackMutation(sendRequest) : sendRequest()))
  recordServerBuild(response)
  if (isSignInPage(response)) {
    reportUnauthorized(endpoint)
    throw new ProxySessionError()
  }
  if (!response.ok) {
    if (response.status === 401 || response.status === 409) reportUnauthorized(endpoint)
    throw new ApiError(response.status, response.statusText, text, response.headers.get('retry-after'))
  }
  return { value: text === '' ? undefined : JSON.parse(text), headers: response.headers }
}

/** Longer than the server's own deadline, whose answer says more; undefined where the server has the usual one. */
const timeoutOf = ({ deadline }: Endpoint) => deadline && deadline + 2000

/** Characters. Browsers reject keepalive requests of more than 64 KiB. */
const MAX_KEEPALIVE_LENGTH = 16 * 1024

interface LooseInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Milliseconds; the server's own limit for a share picture is shorter. */
const FILE_TIMEOUT = 20_000

/**
 * Requests a file, with cookies.
 * @throws ApiError for an unsuccessful answer, and fetch's own error when there is no answer.
 */
export async function fetchFile(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetchWithTimeout(url, { signal }, FILE_TIMEOUT)
  if (response.ok) return response.blob()
  throw new ApiError(
    response.status,
    response.statusText,
    await response.text(),
    response.headers.get('retry-after'),
  )
}

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

type UnauthorizedHandler = (endpoint: Endpoint) => void

const handlers = new Set<UnauthorizedHandler>()

/**
 * Called at every 401 (signin-2), and at every 409, because somebody else may be signed in now (signin-26), whichever
 * call got it. Returns a function that stops listening.
 */
export function onUnauthorized(handler: UnauthorizedHandler): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

export function reportUnauthorized(endpoint: Endpoint): void {
  for (const handler of handlers) handler(endpoint)
}
