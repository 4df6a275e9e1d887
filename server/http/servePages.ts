import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'
import { packageFolder } from '../packageFolder.ts'
import { withDeadline } from './deadline.ts'
import { type FindExtras, withExtras } from './pageExtras.ts'

/** What a page needs to know about its request. */
export interface PageFacts {
  findExtras: FindExtras
  /** Whether there is a session cookie. Only decides what is preloaded, never what may be seen. */
  hasSession(request: FastifyRequest): boolean
}

/**
 * Serves the built web application: hashed files with a cache time of a year, and the application's HTML for every
 * other path (screens-2). Paths under /api never get HTML (calls-6).
 */
export async function servePages(
  app: FastifyInstance,
  env: Env,
  { findExtras, hasSession }: PageFacts,
): Promise<void> {
  const folder = packageFolder('dist/web')
  const page = atBasePath(withConfig(readFileSync(join(folder, 'index.html'), 'utf8'), env), env)
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      reply.setHeader(
        'cache-control',
        hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
    },
  })
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) => {
    // Browsers with an older page request files that no longer exist: they must not get HTML.
    if (request.url.startsWith('/assets/'))
      return reply.status(404).header('cache-control', 'no-store').send({ message: 'There is no such file.' })
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !isApiPath(request.url)
    if (!isPage) return reply.status(404).send({ message: 'There is no such call.' })
    return sendPage(page, request, reply, { findExtras, hasSession })
  })
}

/** Sends the HTML with the extras of its path. If those cannot be loaded, sends it without: the page asks again. */
export async function sendPage(
  page: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { findExtras, hasSession }: PageFacts,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8')
  const path = request.url.split('?')[0] ?? ''
  const extras = await withDeadline(findExtras(path)).catch((error: unknown) => {
    request.log.error({ err: error }, 'page extras failed; page sent without them')
    return null
  })
  const own = withOwnPreloads(page, path, hasSession(request) ? 'yes' : 'no')
  if (!extras) return reply.send(own)
  return reply.status(extras.status).headers(extras.headers).send(withExtras(own, extras))
}

/**
 * The links to icon, style sheet and fonts, for documents without the application: the built page's, or in
 * development that of the source.
 */
export function styleLinks(pages: 'built' | 'development', env: Env): string {
  if (pages === 'development') return `<link rel="stylesheet" href="${env.basePath}/@source/app/style.css">`
  const page = atBasePath(readFileSync(join(packageFolder('dist/web'), 'index.html'), 'utf8'), env)
  return (page.match(/<link [^>]*(rel="icon"|rel="stylesheet"|as="font")[^>]*>/g) ?? []).join('\n')
}

/** Removes the preloads that web/vite.config.ts wrote for other paths, and for the other sign-in state. */
const withOwnPreloads = (page: string, path: string, session: 'yes' | 'no') =>
  page.replace(
    /\s*<link [^>]*data-path="([^"]*)"(?: data-session="(yes|no)")?[^>]*>/g,
    (link, pattern, state) => (new RegExp(pattern).test(path) && (state ?? session) === session ? link : ''),
  )

/** The build writes all its addresses as `./…`, because the path of PUBLIC_URL is known only here. */
export const atBasePath = (page: string, { basePath }: Env): string =>
  page.replace(/ (href|src)="\.\//g, ` $1="${basePath}/`)

/** Writes the configuration into the `bob-config` element, because inline scripts are not allowed. */
export function withConfig(page: string, env: Env): string {
  const config = JSON.stringify({
    basePath: env.basePath,
    youtubePlayerUrl: env.YOUTUBE_PLAYER_URL,
    youtubeNoCookieUrl: env.YOUTUBE_NOCOOKIE_URL,
    youtubeImageUrl: env.YOUTUBE_IMAGE_URL,
    contactEmail: env.CONTACT_EMAIL ?? null,
    operatorName: env.OPERATOR_NAME || null,
    hearElsewhere: env.HEAR_ELSEWHERE,
    openIdName: env.OIDC_ISSUER && env.OIDC_NAME,
    isClosed: env.REGISTRATION === 'closed',
  })
  const escaped = config.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
  return page.replace(
    /(<meta name="bob-config" content=)(["'])[^"']*\2/,
    (_, start: string) => `${start}"${escaped}"`,
  )
}

export function isApiPath(url: string): boolean {
  return /^\/(api|companion|health|metrics|docs)(\/|\?|$)/.test(url)
}
