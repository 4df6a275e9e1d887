import type { CookieSerializeOptions as CookieOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, negotiateEncoding } from './encoding.ts'
import { HttpError } from './HttpError.ts'
import { type ItemRange, parseItemRange } from './itemRange.ts'
import { networkOf } from './networkOf.ts'

export type { CookieOptions }

/** What handlers may know about the HTTP exchange. */
export interface Exchange {
  /** The listener's address as limits count it (see networkOf); behind a proxy only with TRUST_PROXY. */
  ip: string
  /** The address of the socket's other end, whatever headers say. */
  peer: string
  /** Whether a proxy forwarded the request, or the caller claims so. */
  isForwarded: boolean
  userAgent: string | null
  /** Only status and headers are requested (HEAD): nothing may change (calls-10). */
  isHead: boolean
  /** A browser opens the address ahead of a press that may never come. */
  isPrefetch: boolean
  /** The part of a list that is requested; null for the whole list. */
  range: ItemRange | null
  /** The compression that the caller accepts. */
  encoding: Encoding | null
  /** A list as JSON, by the contract's shape. */
  write(items: unknown[]): string
  /**
   * Aborts when the response was sent, its deadline passed, or the caller disconnected.
   */
  readonly signal: AbortSignal
  cookie(name: string): string | undefined
  setCookie(name: string, value: string, options: CookieOptions): void
  clearCookie(name: string, options: CookieOptions): void
}

export function exchangeOf(request: FastifyRequest, reply: FastifyReply): Exchange {
  const { headers } = request
  return {
    ip: networkOf(request.ip),
    peer: request.socket.remoteAddress ?? '',
    isForwarded: isForwarded(request),
    userAgent: headers['user-agent']?.slice(0, 300) ?? null,
    isHead: request.method === 'HEAD',
    isPrefetch: /\bprefetch\b/.test([headers['sec-purpose'], headers.purpose, headers['x-moz']].join(' ')),
    range: parseItemRange(headers.range),
    encoding: negotiateEncoding(headers['accept-encoding']),
    write: (items) => String(reply.getSerializationFunction('200')?.(items as never)),
    // Created on demand, because most calls need none.
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
  const abort = () => controller.abort(new HttpError(499, 'The client closed the connection.'))
  if (raw.closed) abort()
  else raw.once('close', abort)
  return controller.signal
}

/** Whether a proxy forwarded the request, or the caller claims so. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => FORWARDING_HEADER.test(name))
}

/** Headers that proxies and CDNs add to forwarded requests. */
const FORWARDING_HEADER =
  /^(forwarded|forwarded-for|via|x-forwarded(-.*)?|x-original-.*|x-real-ip|(true-|x-|x-cluster-)client-ip|cf-.*|fastly-.*|fly-.*)$/
