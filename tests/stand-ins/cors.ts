import type { IncomingMessage, ServerResponse } from 'node:http'

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
  const asksFirst = method === 'OPTIONS'
  const wanted = String((asksFirst ? headers['access-control-request-method'] : method) ?? '')
  const named = String(headers['access-control-request-headers'] ?? '')
    .split(',')
    .flatMap((name) => name.trim().toLowerCase() || [])
  const matching =
    rule !== null &&
    ['*', origin].includes(rule.origin) &&
    rule.methods.includes(wanted) &&
    named.every((name) => rule.allow.includes(name))
  if (matching) {
    response.setHeader('access-control-allow-origin', rule.origin)
    response.setHeader('access-control-allow-methods', rule.methods.join(', '))
    if (named.length > 0) response.setHeader('access-control-allow-headers', named.join(', '))
    if (rule.expose.length > 0) response.setHeader('access-control-expose-headers', rule.expose.join(', '))
  }
  if (asksFirst) response.writeHead(matching ? 200 : 403).end()
  return asksFirst
}
