import { compile } from '@fastify/proxy-addr'
import { withoutPort } from './networkOf.ts'

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
