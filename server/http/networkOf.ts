import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The key under which an address is rate limited: IPv4 whole, IPv6 by its /64, because one customer usually has all
 * of it. An IPv4-mapped address counts as IPv4.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '')
  // With TRUST_PROXY=true the address is an arbitrary header.
  if (!isIPv6(plain)) return address.slice(0, 45)
  const parsed = ipaddr.IPv6.parse(plain)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
