import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'

/**
 * Sets a Content-Security-Policy that allows the player's hosts and nothing else (people-22), except images of any host,
 * for imported art; photos of people are our own (uploads-13). The referrer stays, because YouTube answers with error 153
 * without one.
 */
export async function addSecurityHeaders(app: FastifyInstance, env: Env): Promise<void> {
  const https = env.publicUrl.startsWith('https:')
  const headers = await computeHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", env.YOUTUBE_PLAYER_URL],
        // sonner and Radix insert style elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'http:', 'https:'],
        mediaSrc: ["'self'", 'blob:', ...env.PREVIEW_HOSTS, ...env.AUDIO_HOSTS],
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
    hsts: https ? { maxAge: 31_536_000, includeSubDomains: env.HSTS_SUBDOMAINS } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
    // The sign-in window of a remote provider needs its opener.
    crossOriginOpenerPolicy: {
      policy: env.companionUrl ? 'same-origin-allow-popups' : 'same-origin',
    },
  })
  // The camera is for profile photos.
  headers['permissions-policy'] = 'camera=(self), microphone=(), geolocation=()'
  const fileHeaders = Object.fromEntries(
    FILE_HEADERS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
  )
  app.addHook('onRequest', ({ url }, reply, done) => {
    reply.headers(url.startsWith('/assets/') ? fileHeaders : headers)
    done()
  })
}

/** Headers for scripts, styles and fonts. Those for pages would add 0.7 KiB to each file of a first load. */
const FILE_HEADERS = [
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
]

/** Computes helmet's headers once, because they are the same for every response. */
async function computeHeaders(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const sample = fastify()
  await sample.register(helmet, options)
  sample.get('/', async (_, reply) => reply.raw.getHeaders())
  const answer = await sample.inject('/')
  await sample.close()
  return answer.json()
}
