import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'
import { packagePath } from '../packagePath.ts'
import { claimUpgrades } from './claimUpgrades.ts'
import { atBasePath, isApiPath, type PageFacts, sendPage, withConfig } from './servePages.ts'

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
