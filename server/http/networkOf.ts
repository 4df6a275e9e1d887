import { isIPv6 } from 'node:net'

/**
 * The key under which an address is rate limited: IPv4 whole, IPv6 by its /64, because one customer usually has all
 * of it. An IPv4-mapped address counts as IPv4.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped) return mapped
  // With TRUST_PROXY=true the address is an arbitrary header.
  if (!isIPv6(plain)) return address.slice(0, 45)
  const [head = '', tail] = plain.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const between = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0')
  const network = [...before, ...between, ...after]
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** A dotted suffix is two groups, and never among the first four. */
const groupsOf = (part: string) =>
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
