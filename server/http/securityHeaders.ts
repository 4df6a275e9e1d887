import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'

/**
 * The Content-Security-Policy allows the player's hosts and nothing else (people-22). Images may come from any
 * host, because imported art does; photos of people never do (uploads-13). YouTube answers error 153 to a page
 * without a referrer.
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
    // A site at a sub-path shares its host, and does not decide about other hosts.
    hsts: https ? { maxAge: 31_536_000, includeSubDomains: env.basePath === '' } : false,
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

/** What browsers heed on scripts, styles and fonts. The others are for pages: 0.7 KiB for each file of a first load. */
const FILE_HEADERS = [
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
]

/** The headers that helmet sets. They are constant, so they are computed once and not for every answer. */
async function computeHeaders(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const sample = fastify()
  await sample.register(helmet, options)
  sample.get('/', async (_, reply) => reply.raw.getHeaders())
  const answer = await sample.inject('/')
  await sample.close()
  return answer.json()
}
