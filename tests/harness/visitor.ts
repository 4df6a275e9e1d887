import type http from 'node:http'
import { followMagicLink, sendMagicLink } from '../../contract/auth.ts'
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '../../contract/endpoint.ts'
import { failuresOf } from '../../server/http/apiDocument/openApi.ts'
import { type RawAnswer, type RequestOptions, request } from './request.ts'

export interface Answer<T> {
  status: number
  headers: http.IncomingHttpHeaders
  /** As in the contract on success, else `{message}`; undefined when it is not JSON. */
  body: T
}

export interface Input<E extends Endpoint> {
  params?: ParamsOf<E>
  query?: Partial<QueryOf<E>>
  body?: BodyOf<E>
}

/** The cookies of one browser at one server. */
export interface Visitor {
  /** A call of the contract, as the web application makes it. */
  call<E extends Endpoint>(endpoint: E, input?: Input<E>): Promise<Answer<ResponseOf<E>>>
  /** Any other request: invalid bodies, unusual headers, documents. `json` is sent as a JSON body. */
  raw(path: string, init?: RequestOptions & { json?: unknown }): Promise<RawAnswer & { body: unknown }>
  /** By name; tests may remove cookies or copy them to another visitor. */
  cookies: Map<string, string>
  /** The same cookies at another server, as when servers share an address. */
  at(url: string): Visitor
}

export function visitorAt(base: string, cookies = new Map<string, string>()): Visitor {
  async function raw(path: string, { json, ...init }: RequestOptions & { json?: unknown } = {}) {
    const headers: Record<string, string> = {
      ...(cookies.size > 0
        ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
        : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...init.headers,
    }
    const body = json === undefined ? init.body : JSON.stringify(json)
    const answer = await request(`${base}${path}`, { ...init, headers, body })
    keepCookies(cookies, answer.headers['set-cookie'] ?? [])
    return { ...answer, body: isJson(answer) ? (JSON.parse(answer.text) as unknown) : undefined }
  }

  return {
    raw,
    cookies,
    at: (url) => visitorAt(url, cookies),
    async call<E extends Endpoint>(endpoint: E, input: Input<E> = {}) {
      const { status, headers, body } = await raw(pathOf(endpoint, input), {
        method: endpoint.method,
        ...(endpoint.body ? { json: input.body ?? {} } : {}),
      })
      if (status >= 400 && !failuresOf(endpoint).includes(status))
        throw new Error(`The API document does not name ${status} for ${endpoint.method} ${endpoint.path}.`)
      return { status, headers, body: body as ResponseOf<E> }
    },
  }
}

/** The response to a refused call: a message, and nothing else. */
export const refusal = (status: number, message: unknown) => ({ status, body: { message } })

/** The path with its parameters and its query. */
export function pathOf<E extends Endpoint>(endpoint: E, { params, query }: Input<E> = {}): string {
  const given: Record<string, string> = params ?? {}
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
  const entries = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  )
  if (entries.length === 0) return path
  return `${path}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

function keepCookies(cookies: Map<string, string>, lines: string[]): void {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0(;|$)/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}

const isJson = (answer: RawAnswer) =>
  answer.text !== '' && /^application\/json\b/.test(answer.headers['content-type'] ?? '')

/** A visitor who signed in at a server, through a real link. */
export async function signInAt(url: string, email: string): Promise<Visitor> {
  const visitor = visitorAt(url)
  const { body } = await visitor.call(sendMagicLink, { body: { email } })
  await visitor.raw(followMagicLink.path + new URL(body.magicLink ?? '').search)
  return visitor
}

/**
 * Follows a sign-in's redirect, presses Allow or Deny, and follows until the provider sends the browser back.
 * Returns that address. Each visit uses a browser that the provider has not seen before.
 */
export async function visitProvider(start: string, choice: 'Allow' | 'Deny'): Promise<URL> {
  const { origin } = new URL(start)
  const browser = visitorAt(origin)
  let at = new URL(start)
  for (let steps = 0; steps < 10; steps++) {
    const { status, headers, text } = await browser.raw(at.pathname + at.search)
    const link = status === 200 ? new RegExp(`<a href="([^"]+)">${choice}</a>`).exec(text)?.[1] : null
    const next = headers.location ?? link?.replaceAll('&amp;', '&')
    if (!next) throw new Error(`The provider stopped at ${at.pathname} with ${status}: ${text.slice(0, 300)}`)
    at = new URL(next, at)
    if (at.origin !== origin) return at
  }
  throw new Error('The provider goes round and round.')
}
