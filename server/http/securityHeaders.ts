import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'

/**
 * The Content-Security-Policy lets in the player's hosts and nothing else (D-87). Pictures may come from
 * anywhere on the web, for imported art does. YouTube answers 153 to a page that sends no referrer.
 */
export async function addSecurityHeaders(app: FastifyInstance, env: Env): Promise<void> {
  const https = env.publicUrl.startsWith('https:')
  const headers = await headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", env.YOUTUBE_PLAYER_URL],
        // sonner and radix add styles of their own.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'http:', 'https:'],
        mediaSrc: ["'self'", 'blob:', ...env.PREVIEW_HOSTS],
        frameSrc: [env.YOUTUBE_PLAYER_URL, env.YOUTUBE_NOCOOKIE_URL],
        connectSrc: ["'self'", ...(env.bucketOrigin ? [env.bucketOrigin] : [])],
        workerSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    hsts: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
    // The window in which a listener signs in at a remote provider has to find back to the page.
    crossOriginOpenerPolicy: {
      policy: Object.keys(env.remoteProviders).length > 0 ? 'same-origin-allow-popups' : 'same-origin',
    },
  })
  // The camera is for the profile photo.
  headers['permissions-policy'] = 'camera=(self), microphone=(), geolocation=()'
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** What helmet sets on every answer. It is the same each time, and helmet would work it out anew each time. */
async function headersOf(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const sample = fastify()
  await sample.register(helmet, options)
  sample.get('/', async (_, reply) => reply.raw.getHeaders())
  const answer = await sample.inject('/')
  await sample.close()
  return answer.json()
}
