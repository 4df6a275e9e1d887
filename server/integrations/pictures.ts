import { type LookupAddress, lookup } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { MAX_PHOTO_BYTES } from '../../contract/uploads.ts'
import { abortAfter } from '../abortAfter.ts'
import type { Env } from '../env.ts'

/** A failure is a value, without the address. `final`: another attempt cannot succeed. */
export type FetchedPicture = { content: Buffer } | { failure: string; final: boolean }

/** Fetches pictures from addresses that others chose. */
export interface Pictures {
  download(address: string, signal: AbortSignal): Promise<FetchedPicture>
}

/** Milliseconds for a picture, redirects included. */
const TIME_LIMIT = 10_000

const MAX_REDIRECTS = 3

/**
 * Connects over https, and only to public IP addresses. The address is checked after the DNS lookup, which prevents
 * requests to the server's own network. Outside production, where sign-in providers may run on this machine, http and
 * loopback are allowed too.
 */
export function createPictures({ production }: Pick<Env, 'production'>): Pictures {
  const protocols = production ? ['https:'] : ['https:', 'http:']
  const canReach = (address: string) => {
    const range = ipaddr.process(address).range()
    return range === 'unicast' || (range === 'loopback' && !production)
  }

  async function fetchFrom(url: URL, signal: AbortSignal, redirects: number): Promise<Buffer> {
    if (!protocols.includes(url.protocol)) throw new FetchFailure(`protocol ${url.protocol}`, true)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // Only names are looked up.
    if (isIP(host) !== 0 && !canReach(host)) throw new FetchFailure('not a public address', true)
    const response = await request(url, createLookup(canReach), signal)
    try {
      const { statusCode = 0, headers } = response
      if (headers.location !== undefined && statusCode >= 300 && statusCode < 400) {
        if (redirects === 0 || !URL.canParse(headers.location, url.href))
          throw new FetchFailure('redirects', true)
        return await fetchFrom(new URL(headers.location, url.href), signal, redirects - 1)
      }
      if (statusCode !== 200) throw new FetchFailure(`status ${statusCode}`, isFinal(statusCode))
      if (!headers['content-type']?.startsWith('image/')) throw new FetchFailure('not a picture', false)
      return await readAll(response)
    } finally {
      response.destroy()
    }
  }

  return {
    async download(address, signal) {
      if (!URL.canParse(address)) return { failure: 'not an address', final: true }
      const limited = abortAfter(TIME_LIMIT, signal)
      try {
        return { content: await fetchFrom(new URL(address), limited, MAX_REDIRECTS) }
      } catch (error) {
        if (error instanceof FetchFailure) return { failure: error.message, final: error.final }
        return { failure: limited.aborted ? 'timed out' : codeOf(error), final: false }
      }
    },
  }
}

class FetchFailure extends Error {
  readonly final: boolean

  constructor(message: string, final: boolean) {
    super(message)
    this.final = final
  }
}

function request(url: URL, lookup: LookupFunction, signal: AbortSignal): Promise<IncomingMessage> {
  const { get } = url.protocol === 'https:' ? https : http
  const headers = { accept: 'image/*', 'user-agent': 'Banger or Bust' }
  return new Promise((resolve, reject) => {
    get(url, { lookup, signal, headers, agent: false }, resolve).on('error', reject)
  })
}

/** Resolves a name to those of its addresses that may be reached. */
function createLookup(canReach: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
      const allowed = found.filter(({ address }) => canReach(address))
      const [first] = allowed
      if (error || !first) return callback(error ?? new FetchFailure('not a public address', true), '')
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_PHOTO_BYTES) throw new FetchFailure('too large', true)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Neither a failure of the server nor a limit (RFC 9110 §15.5). */
const isFinal = (status: number) => status >= 400 && status < 500 && ![408, 425, 429].includes(status)

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'failed')
