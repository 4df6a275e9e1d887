import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How a service behaves: works, hangs, sends an HTML page, answers 429 or 503, closes the connection, or closes it in
 * the middle of its answer.
 */
export type Behaviour = 'ok' | 'slow' | 'wrong' | 'limited' | 'down' | 'gone' | 'cut'

/** Responds with the failure. Returns false when the service works and the caller must respond. */
export function misbehave(behaviour: Behaviour, response: ServerResponse, retryAfter = 60): boolean {
  switch (behaviour) {
    case 'ok':
      return false
    case 'slow':
      return true
    case 'wrong':
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<!doctype html><title>Please wait</title>')
      return true
    case 'limited':
      response.writeHead(429, { 'Retry-After': String(retryAfter) }).end('Too many requests')
      return true
    case 'down':
      response.writeHead(503, { 'Content-Type': 'text/plain' }).end('Service Unavailable')
      return true
    case 'gone':
      response.destroy()
      return true
    case 'cut':
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 })
      response.write('{"recordings": [{"id": "', () => response.destroy())
      return true
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

let latency = 0

/** From now on every stand-in of this process waits that many milliseconds before it answers a GET. */
export function answerAfter(ms: number): void {
  latency = ms
}

/** An HTTP server on a free loopback port. */
export async function listen(answer: RequestListener): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (latency > 0 && request.method === 'GET') await sleep(latency)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What the stand-ins of services have in common. */
export interface StandIn<Call = string> {
  /** For its setting. */
  url: string
  /** Sets the behaviour for that many calls, or for all from now on. */
  behave(behaviour: Behaviour, calls?: number): void
  /** The calls in order. */
  requests: Call[]
  /** Their User-Agents. */
  agents: Set<string>
  reset(): void
  close(): Promise<void>
}

/** Starts a stand-in. */
export async function startStandIn<Call>(service: {
  /** For `requests`. */
  describe(url: URL, request: IncomingMessage): Call
  answer(url: URL, request: IncomingMessage, response: ServerResponse): void
  /** The service's own way to fail. Returns false where it fails as others do. */
  fail?(behaviour: Behaviour, response: ServerResponse): boolean
  forget(): void
}): Promise<StandIn<Call>> {
  const requests: Call[] = []
  const agents = new Set<string>()
  let behaviour: Behaviour = 'ok'
  let calls = Number.POSITIVE_INFINITY
  const { port, close } = await listen((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    requests.push(service.describe(url, request))
    agents.add(request.headers['user-agent'] ?? '')
    const now = calls-- > 0 ? behaviour : 'ok'
    if (service.fail?.(now, response) || misbehave(now, response, 1)) return
    service.answer(url, request, response)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    behave(next, times = Number.POSITIVE_INFINITY) {
      behaviour = next
      calls = times
    },
    requests,
    agents,
    reset() {
      service.forget()
      requests.length = 0
      agents.clear()
      behaviour = 'ok'
    },
    close,
  }
}

/** A bucket's CORS rules. */
export interface CorsRule {
  /** `*` means any origin. */
  origin: string
  methods: string[]
  /** Headers that a page may send, and response headers that it may read. In lower case. */
  allow: string[]
  expose: string[]
}

/** Adds the CORS headers. Returns true for a preflight request, which it answers. */
export function answerCors(
  rule: CorsRule | null,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { origin } = headers
  if (origin === undefined) return false
  const isPreflight = method === 'OPTIONS'
  const requestedMethod = String((isPreflight ? headers['access-control-request-method'] : method) ?? '')
  const named = String(headers['access-control-request-headers'] ?? '')
    .split(',')
    .flatMap((name) => name.trim().toLowerCase() || [])
  const matching =
    rule !== null &&
    ['*', origin].includes(rule.origin) &&
    rule.methods.includes(requestedMethod) &&
    named.every((name) => rule.allow.includes(name))
  if (matching) {
    response.setHeader('access-control-allow-origin', rule.origin)
    response.setHeader('access-control-allow-methods', rule.methods.join(', '))
    if (named.length > 0) response.setHeader('access-control-allow-headers', named.join(', '))
    if (rule.expose.length > 0) response.setHeader('access-control-expose-headers', rule.expose.join(', '))
  }
  if (isPreflight) response.writeHead(matching ? 200 : 403).end()
  return isPreflight
}
