import { Resolver } from 'node:dns/promises'
import type { Env } from '../env.ts'

/** An expected failure is a value: a code such as ETIMEOUT. No records are an empty list. */
export type DnsAnswer = { records: string[] } | { failure: string }

/** The DNS records of this installation's domain. */
export interface DnsRecords {
  txt(name: string): Promise<DnsAnswer>
  /** The hosts that receive a domain's mail, `.` for a domain that receives none. */
  mx(name: string): Promise<DnsAnswer>
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<DnsAnswer>
}

/** Milliseconds for each of two tries at a server. */
const DNS_TIMEOUT = 2000

/** Asks DNS_SERVERS, or the machine's own. */
export function createDnsRecords(env: Env): DnsRecords {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: 2 })
  if (env.DNS_SERVERS.length > 0) resolver.setServers(env.DNS_SERVERS)
  return {
    // A long record comes in parts.
    txt: (name) => read(async () => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))),
    mx: (name) => read(async () => (await resolver.resolveMx(name)).map(({ exchange }) => exchange || '.')),
    async addresses(name) {
      const four = await read(() => resolver.resolve4(name))
      if (!('records' in four) || four.records.length > 0) return four
      return read(() => resolver.resolve6(name))
    },
  }
}

async function read(ask: () => Promise<string[]>): Promise<DnsAnswer> {
  try {
    return { records: await ask() }
  } catch (error) {
    const failure = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    // The name has no such record, or does not exist.
    return failure === 'ENODATA' || failure === 'ENOTFOUND' ? { records: [] } : { failure }
  }
}

/** What a browser would get. A failure is a value: a code such as ECONNREFUSED. */
export type PublicAnswer = { status: number; headers: Headers; text: string } | { failure: string }

/** Milliseconds. */
const PAGE_TIMEOUT = 5000

/** Requests an address of this service from outside, through its proxy. Redirects are not followed. */
export async function fetchPublic(address: URL, headers: Record<string, string> = {}): Promise<PublicAnswer> {
  try {
    const answer = await fetch(address, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(PAGE_TIMEOUT),
    })
    return { status: answer.status, headers: answer.headers, text: (await answer.text()).slice(0, 1000) }
  } catch (error) {
    return { failure: codeOf(error) }
  }
}

/** fetch wraps the reason, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
function codeOf(error: unknown): string {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(reason instanceof Error)) return 'unknown'
  return 'code' in reason && typeof reason.code === 'string' ? reason.code : reason.message || reason.name
}
