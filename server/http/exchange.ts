import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingOf } from './encoding.ts'
import { HttpError } from './HttpError.ts'
import { firstItemsOf } from './itemRange.ts'
import { networkOf } from './networkOf.ts'

/** The little that a handler may know of the HTTP exchange it answers. */
export interface Exchange {
  /** The listener's address as limits count it (see networkOf); behind a proxy only with TRUST_PROXY. */
  ip: string
  /** The machine at the other end of the socket, whatever headers say. */
  peer: string
  /** Whether a proxy passed the request on, or the caller pretends so. */
  forwarded: boolean
  userAgent: string | null
  /** How many of a list's first items are asked for; null for the whole list. */
  firstItems: number | null
  /** How the caller takes an answer compressed. */
  encoding: Encoding | null
  /** JSON of a list, by the contract's shape. */
  write(items: unknown[]): string
  /** Aborts when nobody waits for the answer any more: it was sent, its deadline passed, or the caller has gone. */
  readonly signal: AbortSignal
  cookie(name: string): string | undefined
  setCookie(name: string, value: string, options: CookieSerializeOptions): void
  clearCookie(name: string, options: CookieSerializeOptions): void
}

export function exchangeOf(request: FastifyRequest, reply: FastifyReply): Exchange {
  return {
    ip: networkOf(request.ip),
    peer: request.socket.remoteAddress ?? '',
    forwarded: isForwarded(request),
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    firstItems: firstItemsOf(request.headers.range),
    encoding: encodingOf(request.headers['accept-encoding']),
    write: (items) => String(reply.getSerializationFunction('200')?.(items as never)),
    // Most calls need none.
    get signal() {
      return signalOf(reply)
    },
    cookie: (name) => request.cookies[name],
    setCookie: (name, value, options) => void reply.setCookie(name, value, options),
    clearCookie: (name, options) => void reply.clearCookie(name, options),
  }
}

function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new HttpError(499, 'The caller did not wait for the answer.'))
  if (raw.closed) abort()
  else raw.once('close', abort)
  return controller.signal
}

/** Whether a proxy passed the request on, or the caller pretends so. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => FORWARDING_HEADER.test(name))
}

/** What proxies and content networks add to a request that they pass on. */
const FORWARDING_HEADER =
  /^(forwarded|forwarded-for|via|x-forwarded(-.*)?|x-original-.*|x-real-ip|(true-|x-|x-cluster-)client-ip|cf-.*|fastly-.*|fly-.*)$/
