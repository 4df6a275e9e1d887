import type { FastifyInstance } from 'fastify'
import { HttpError } from './HttpError.ts'

/*
 * PUBLIC_URL may have a path, such as `/music`. This module removes it from every request and adds it to every redirect, so
 * that routes, hooks and handlers see addresses without it.
 */

/** Removes the path of PUBLIC_URL. An address without it stays as it is, for `rejectOutsideBasePath`. */
export const withoutBasePath = (url: string, basePath: string): string =>
  isInside(url, basePath) ? url.slice(basePath.length) : url

/**
 * Rejects addresses that are not below the path of PUBLIC_URL, and redirects the path itself to the main screen. Probes and
 * scrapers call the process instead of PUBLIC_URL, so their addresses also work without the path.
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
