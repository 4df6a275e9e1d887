import { isIPv6 } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** Removes what proxies write around an address: quotes, brackets, and the port, which differs with each connection. */
function withoutPort(address: string): string {
  const text = address.trim().replace(/^"(.*)"$/, '$1')
  const [, inBrackets, beforePort] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  return inBrackets ?? beforePort ?? text
}

/**
 * The key for rate limits of an address: the address itself for IPv4, the /64 for IPv6, because one customer usually has
 * a whole /64. An IPv6 address that stands for an IPv4 address counts as that.
 */
export function networkOf(address: string): string {
  const plain = withoutPort(address).replace(/%.*$/, '')
  // With TRUST_PROXY=true the address is an arbitrary header.
  if (!isIPv6(plain)) return plain.slice(0, 45)
  const parsed = ipaddr.IPv6.parse(plain)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  // NAT64 maps all of IPv4 into one /96.
  if (parsed.range() === 'rfc6052') return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/** Of how many /64 a wider IPv6 network has the share: a household may own a /56, a company a /48. */
export const WIDER_SHARES = { 56: 4, 48: 40 }

/** The /56 and the /48 of an IPv6 network that `networkOf` returned; none for IPv4. */
export function widerNetworksOf(network: string): { bits: keyof typeof WIDER_SHARES; network: string }[] {
  const [, beginning, last = ''] = /^((?:[\da-f]{1,4}:){3})([\da-f]{1,4})::\/64$/.exec(network) ?? []
  if (beginning === undefined) return []
  const household = (Number.parseInt(last, 16) & 0xff00).toString(16)
  return [
    { bits: 56, network: `${beginning}${household}::/56` },
    { bits: 48, network: `${beginning}:/48` },
  ]
}

/** Whether a proxy at `address` is trusted; `hop` counts from the socket, which is 0. */
export type TrustProxy = boolean | ((address: string, hop: number) => boolean)

/** Parses TRUST_PROXY: 'true', the number of proxies in front of the server, or their addresses. */
export function parseTrustProxy(setting = 'false'): TrustProxy {
  if (/^false$/i.test(setting)) return false
  if (/^true$/i.test(setting)) return true
  if (/^\d+$/.test(setting)) return (_, hop) => hop < Number(setting)
  const isListed = compile(setting.split(/[\s,;]+/).flatMap((address) => address.replace(/[[\]]/g, '') || []))
  return (address, hop) => isListed(withoutPort(address), hop)
}
