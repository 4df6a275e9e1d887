import type { FastifyInstance } from 'fastify'
import { HttpError } from './HttpError.ts'

/*
 * PUBLIC_URL may have a path, such as `/music`. It is removed from every request and added to every redirect here, so
 * that routes, hooks and handlers know addresses without it.
 */

/** The address without the path of PUBLIC_URL. An address outside of it stays, for `rejectOutsideBasePath`. */
export const withoutBasePath = (url: string, basePath: string): string =>
  isInside(url, basePath) ? url.slice(basePath.length) : url

/**
 * Rejects what is not below the path of PUBLIC_URL. The path itself redirects to the main screen. Probes and scrapers
 * call the process and not PUBLIC_URL, so their addresses also work without it.
 */
export function rejectOutsideBasePath(app: FastifyInstance, basePath: string): void {
  if (basePath === '') return
  app.addHook('onRequest', async ({ method, originalUrl }, reply) => {
    if (isInside(originalUrl, basePath)) return
    const path = originalUrl.replace(/\?.*/s, '')
    if (PROBE_PATHS.has(path)) return
    const isRead = method === 'GET' || method === 'HEAD'
    if (path === basePath && isRead) return reply.redirect(`/${originalUrl.slice(path.length)}`, 302)
    throw new HttpError(
      404,
      `Banger or Bust is at ${basePath}/. A proxy must leave this path in the address.`,
    )
  })
  app.addHook('onSend', async (_, reply) => {
    const target = reply.getHeader('location')
    if (typeof target === 'string' && target.startsWith('/')) reply.header('location', basePath + target)
  })
}

const isInside = (url: string, basePath: string) => url.startsWith(`${basePath}/`)

const PROBE_PATHS = new Set(['/live', '/ready', '/health', '/metrics'])
