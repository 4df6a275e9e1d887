import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { CookieSerializeOptions as CookieOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from './HttpError.ts'
import { networkOf } from './limits/networkOf.ts'

export type { CookieOptions }

/** What handlers may know about the HTTP exchange. Computed on demand, because most calls need nothing of it. */
export class Exchange {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
  }

  /** The listener's address as limits count it (see networkOf); behind a proxy only with TRUST_PROXY. */
  get ip(): string {
    return networkOf(this.#request.ip)
  }

  /** The address of the socket's other end, whatever headers say. */
  get peer(): string {
    return this.#request.socket.remoteAddress ?? ''
  }

  /** Whether a proxy forwarded the request, or the caller claims so. */
  get isForwarded(): boolean {
    return isForwarded(this.#request)
  }

  /** The host that the caller addressed, without a port. */
  get host(): string {
    return this.#request.hostname
  }

  /** Whether another site led the browser here, as browsers tell at https and localhost. */
  get isFromOtherSite(): boolean {
    return /^(cross|same)-site$/.test(String(this.#request.headers['sec-fetch-site']))
  }

  get userAgent(): string | null {
    return this.#request.headers['user-agent']?.slice(0, 300) ?? null
  }

  /** Whether only status and headers are requested, and nothing may change (calls-10). */
  get isHead(): boolean {
    return this.#request.method === 'HEAD'
  }

  /** Whether a browser fetches the address before anybody opens it. */
  get isPrefetch(): boolean {
    const { headers } = this.#request
    return /\bprefetch\b/.test([headers['sec-purpose'], headers.purpose, headers['x-moz']].join(' '))
  }

  /** The requested part of a list; null for the whole list. */
  get range(): ItemRange | null {
    return parseItemRange(this.#request.headers.range)
  }

  /** The compression that the caller accepts. */
  get encoding(): Encoding | null {
    return negotiateEncoding(this.#request.headers['accept-encoding'])
  }

  /** Aborts when the response was sent, its deadline passed, or the caller disconnected. */
  get signal(): AbortSignal {
    return signalOf(this.#reply)
  }

  /** A list as JSON, by the contract's shape. */
  write(items: unknown[]): string {
    return String(this.#reply.getSerializationFunction('200')?.(items as never))
  }

  cookie(name: string): string | undefined {
    return this.#request.cookies[name]
  }

  setCookie(name: string, value: string, options: CookieOptions): void {
    this.#reply.setCookie(name, value, options)
  }

  clearCookie(name: string, options: CookieOptions): void {
    this.#reply.clearCookie(name, options)
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

/** Compressions of responses, the best first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The best encoding that an `Accept-Encoding` header accepts (RFC 9110 §12.5.3), if any. */
export function negotiateEncoding(header: string | undefined): Encoding | null {
  const names = (header ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return ENCODINGS.find((name) => names.includes(name)) ?? null
}

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** The quality of @fastify/compress. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export const compressText = (text: string, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? compressors.br(text, BROTLI_OPTIONS) : compressors.gzip(text)

/** A part of a list. */
export interface ItemRange {
  /** The number of items before it. */
  from: number
  limit: number
}

/**
 * Parses `Range: items=20-39`. Null for the whole list, and for ranges of another form, which a server may ignore
 * (RFC 9110 §14.2).
 */
export function parseItemRange(range: string | undefined): ItemRange | null {
  const [, first, last] = /^items=(\d{1,7})-(\d{1,7})$/.exec(range ?? '') ?? []
  const limit = Number(last) - Number(first) + 1
  return limit > 0 ? { from: Number(first), limit } : null
}

/** The `Content-Range` of a part of a list. */
export const contentRange = (from: number, items: number, total: number) =>
  `items ${from}-${from + items - 1}/${total}`
