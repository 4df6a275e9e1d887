import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address as a proxy writes it, without quotes, brackets and the port, which differs with each connection. */
export function withoutPort(address: string): string {
  const text = address.trim().replace(/^"(.*)"$/, '$1')
  const [, inBrackets, beforePort] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  return inBrackets ?? beforePort ?? text
}

/**
 * The key under which an address is rate limited: IPv4 whole, IPv6 by its /64, because one customer usually has all
 * of it. An address that stands for one of IPv4 counts as that.
 */
export function networkOf(address: string): string {
  const plain = withoutPort(address).replace(/%.*$/, '')
  // With TRUST_PROXY=true the address is an arbitrary header.
  if (!isIPv6(plain)) return plain.slice(0, 45)
  const parsed = ipaddr.IPv6.parse(plain)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  // A translator gives all of IPv4 one /96.
  if (parsed.range() === 'rfc6052') return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
