import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'
import { packagePath } from '../packagePath.ts'
import { claimUpgrades } from './claimUpgrades.ts'
import { compressText, negotiateEncoding } from './exchange.ts'
import { withDeadline } from './HttpError.ts'
import type { CallLimit } from './limits/limitCalls.ts'
import type { Frames } from './pageExtras.ts'
import { type FindExtras, withBody, withExtras } from './pageExtras.ts'

/** What a page needs to know about its request. */
export interface PageFacts {
  frames: Frames
  findExtras: FindExtras
  /** Whether somebody is signed in. Only decides what is loaded early, never what may be seen. */
  hasSession(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

/** Milliseconds that a page waits for `hasSession`. */
const SESSION_DEADLINE = 1000

/**
 * Serves the built web application: hashed files with a cache time of a year, and the application's HTML for every
 * other path (screens-2). Paths under /api never get HTML (calls-6).
 */
export async function servePages(
  app: FastifyInstance,
  env: Env,
  facts: PageFacts,
  countCall: CallLimit['count'],
): Promise<void> {
  const folder = packagePath('dist/web')
  const built = readFileSync(join(folder, 'index.html'), 'utf8')
  // It names all files by hashes of their contents.
  const build = createHash('sha256').update(built).digest('base64url').slice(0, 12)
  const page = atBasePath(withConfig(built, env, build), env)
  app.addHook('onRequest', (_, reply, done) => {
    reply.header('x-build', build)
    done()
  })
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    // Pages are built from these files, which are not served.
    globIgnore: ['index.html*', 'frames.json*'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.setHeader('vary', 'accept-encoding')
      const hashed = path.includes('/assets/')
      reply.setHeader(
        'cache-control',
        hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
    },
  })
  app.setNotFoundHandler({ preHandler: countCall }, async (request, reply) => {
    // Browsers with an older page request files that no longer exist: they must not get HTML.
    // An unknown picture or sitemap is not found, either (visitors-1).
    if (request.url.startsWith('/assets/') || /\.(png|xml)(\?|$)/.test(request.url))
      return reply.status(404).header('cache-control', 'no-store').send({ message: 'There is no such file.' })
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !isApiPath(request.url)
    if (!isPage) return reply.status(404).send({ message: 'There is no such call.' })
    return sendPage(page, request, reply, facts)
  })
}

/** Sends the HTML with the extras of its path. They are left out when they cannot be loaded. */
export async function sendPage(
  page: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { frames, findExtras, hasSession }: PageFacts,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8')
  const [path = '', search] = request.url.split('?')
  const extras = await withDeadline(findExtras(path)).catch((error: unknown) => {
    request.log.error({ err: error }, 'page extras failed; page sent without them')
    return null
  })
  const isListener = await withDeadline(hasSession(request, reply), SESSION_DEADLINE).catch(() => false)
  const own = withOwnPreloads(page, path, isListener ? 'yes' : 'no')
  // Back must not show a listener's page after signing out.
  if (isListener) reply.header('cache-control', 'no-store')
  if (!extras)
    return sendCompressed(isListener ? forListener(own, frames, path, search) : own, request, reply)
  reply.status(extras.status).headers(extras.headers)
  return sendCompressed(withExtras(own, extras), request, reply)
}

/** The plugin that compresses routes does not reach the not-found handler. */
async function sendCompressed(
  page: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoding = negotiateEncoding(headers['accept-encoding'])
  reply.header('vary', 'accept-encoding')
  if (encoding === null) return reply.send(page)
  return reply.header('content-encoding', encoding).send(await compressText(page, encoding))
}

/** Marks the page as a listener's (web/api/config.ts), and adds the static frame of Discover where it opens there. */
function forListener(page: string, frames: Frames, path: string, search?: string): string {
  const marked = page.replace('<html ', '<html data-session ')
  const section = new URLSearchParams(search).get('section') ?? 'discover'
  return path === '/' && section === 'discover' ? withBody(marked, frames.discover) : marked
}

/** Removes the preloads that web/vite.config.ts wrote for other paths, and for the other sign-in state. */
export const withOwnPreloads = (page: string, path: string, session: 'yes' | 'no') =>
  page.replace(
    /\s*<link [^>]*data-path="([^"]*)"(?: data-session="(yes|no)")?[^>]*>/g,
    (link, pattern, state) => (new RegExp(pattern).test(path) && (state ?? session) === session ? link : ''),
  )

/** The build writes all its addresses as `./…`, because the path of PUBLIC_URL is known only here. */
export const atBasePath = (page: string, { basePath }: Env): string =>
  page.replace(/ (href|src)="\.\//g, ` $1="${basePath}/`)

/** Writes the configuration into the `bob-config` element, because inline scripts are not allowed. */
export function withConfig(page: string, env: Env, build?: string): string {
  const config = JSON.stringify({
    basePath: env.basePath,
    youtubePlayerUrl: env.YOUTUBE_PLAYER_URL,
    youtubeNoCookieUrl: env.YOUTUBE_NOCOOKIE_URL,
    youtubeImageUrl: env.YOUTUBE_IMAGE_URL,
    contactEmail: env.CONTACT_EMAIL ?? null,
    operatorName: env.OPERATOR_NAME || null,
    hearElsewhere: env.HEAR_ELSEWHERE,
    audioHosts: env.AUDIO_HOSTS.map((host) => host.replace(/^https?:\/\//, '')),
    openIdName: env.OIDC_ISSUER && env.OIDC_NAME,
    isClosed: env.REGISTRATION !== 'open',
    visitors: env.visitors,
    build,
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

/** Serves the web application from its sources with hot reload, on the server's own port. */
export async function serveDevelopmentPages(app: FastifyInstance, env: Env, facts: PageFacts): Promise<void> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: packagePath('web/vite.config.ts'),
    // In development, source files have addresses too, and those of web/api/ would look like calls.
    base: `${env.basePath}/@source/`,
    server: { middlewareMode: true, ws: { server: app.server } },
    appType: 'custom',
  })
  claimUpgrades(app.server, ({ headers }) => headers['sec-websocket-protocol']?.startsWith('vite-') ?? false)
  app.addHook('onClose', () => vite.close())
  app.setNotFoundHandler(async (request, reply) => {
    if (isApiPath(request.url)) return reply.status(404).send({ message: 'There is no such call.' })
    const { url } = request
    // Vite's addresses begin with the path of PUBLIC_URL.
    request.raw.url = request.originalUrl
    const served = await new Promise<boolean>((resolve) => {
      reply.raw.on('finish', () => resolve(true))
      vite.middlewares(request.raw, reply.raw, () => resolve(false))
    })
    if (served) return reply.hijack()
    request.raw.url = url
    const page = withConfig(readFileSync(packagePath('web/index.html'), 'utf8'), env)
    const built = atBasePath(await vite.transformIndexHtml(request.originalUrl, page), env)
    return sendPage(built, request, reply, facts)
  })
}
