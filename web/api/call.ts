import type { Body, Endpoint, Params, Query, Response } from '../../contract/endpoint.ts'
import { ApiError } from './ApiError.ts'
import { fillPath, searchOf } from './address.ts'
import { reportUnauthorized } from './unauthorized.ts'

/** What a call takes: `params`, `query` and `body` are asked for exactly where its endpoint has them. */
export type Input<E extends Endpoint> = (keyof Params<E> extends never
  ? { params?: undefined }
  : { params: Params<E> }) &
  (E extends { query: unknown } ? Optional<'query', Query<E>> : { query?: undefined }) &
  (E extends { body: unknown } ? { body: Body<E> } : { body?: undefined })

type Optional<Name extends string, Value> = object extends Value
  ? { [K in Name]?: Value }
  : { [K in Name]: Value }

/** The input may be left out where nothing in it is needed. */
export type InputArgument<E extends Endpoint> =
  object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

interface Options {
  signal?: AbortSignal
}

/**
 * Makes one call of the contract: with cookies, JSON both ways (spec §7).
 * Throws `ApiError` for every answer that is not a success, and what fetch throws when there is none.
 */
export async function call<const E extends Endpoint>(
  endpoint: E,
  ...[input, options]: object extends Input<E>
    ? [input?: Input<E>, options?: Options]
    : [input: Input<E>, options?: Options]
): Promise<Response<E>> {
  const { value } = await send(endpoint, input ?? {}, options)
  return value as Response<E>
}

/** The first items of a list, and how many it has. */
export interface Beginning<Item> {
  items: Item[]
  total: number
}

/** Asks for the first `most` items of a list; a server that gives no part of it gives all. */
export async function callFirst<const E extends Endpoint & { ranges: 'items' }>(
  endpoint: E,
  input: Input<E>,
  most: number,
  options?: Options,
): Promise<Beginning<Response<E> extends (infer Item)[] ? Item : never>> {
  const { value, headers } = await send(endpoint, input, options, { Range: `items=0-${most - 1}` })
  const items = value as (Response<E> extends (infer Item)[] ? Item : never)[]
  const total = /^items 0-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
  return { items: items.slice(0, most), total: total === undefined ? items.length : Number(total) }
}

async function send(
  endpoint: Endpoint,
  { params, query, body }: LooseInput,
  options: Options = {},
  headers: Record<string, string> = {},
): Promise<{ value: unknown; headers: Headers }> {
  const sent = body === undefined ? null : JSON.stringify(body)
  const answer = await fetch(fillPath(endpoint, params) + searchOf(query), {
    method: endpoint.method,
    credentials: 'include',
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    body: sent,
    // What was rated is kept, also when the page is closed right after.
    keepalive: endpoint.method !== 'GET' && (sent?.length ?? 0) < KEPT_ALIVE,
    signal: options.signal ?? null,
  })
  const text = await answer.text()
  if (!answer.ok) {
    if (answer.status === 401) reportUnauthorized(endpoint)
    throw new ApiError(answer.status, answer.statusText, text)
  }
  return { value: text === '' ? undefined : JSON.parse(text), headers: answer.headers }
}

/** Characters; browsers refuse to keep 64 KiB alive. */
const KEPT_ALIVE = 16 * 1024

interface LooseInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}
