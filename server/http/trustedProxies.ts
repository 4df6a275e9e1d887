import { compile } from '@fastify/proxy-addr'

/** Whether a proxy at `address` is believed; `hop` counts from the socket, which is 0. */
export type TrustProxy = boolean | ((address: string, hop: number) => boolean)

/** What TRUST_PROXY says: 'true', how many proxies stand before the server, or their addresses. */
export function trustedProxies(setting: string | undefined): TrustProxy {
  if (setting === undefined || setting === 'false') return false
  if (setting === 'true') return true
  if (/^\d+$/.test(setting)) return (_, hop) => hop < Number(setting)
  return compile(setting.split(',').map((address) => address.trim()))
}
