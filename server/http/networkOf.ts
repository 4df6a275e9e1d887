import { isIPv6 } from 'node:net'

/**
 * What a limit counts an address by: IPv4 whole, IPv6 by its first 64 bits, for whoever has one of those
 * addresses has all of the network. An IPv4 address that came through an IPv6 socket is itself.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped) return mapped
  // Where every proxy is trusted the address is whatever a header says.
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

/** A dotted end stands for two groups; those are never among the first four. */
const groupsOf = (part: string) =>
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
