import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Env, isLoopbackHost } from '../env.ts'
import { withDeadline } from './deadline.ts'
import { isForwarded } from './exchange.ts'
import type { Gauges, Metrics } from './metrics.ts'

/** Milliseconds for the database gauges; without them the rest is sent. */
const GAUGES_DEADLINE = 2000

/**
 * GET /metrics for Prometheus: for this machine, and with METRICS_TOKEN as a bearer token. Everybody else gets a
 * 404.
 */
export function serveMetrics(
  app: FastifyInstance,
  env: Env,
  metrics: Metrics,
  readGauges: () => Promise<Gauges>,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.config.template
    metrics.countRequest({
      method: route ? request.method : 'any',
      route: route ?? 'other',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    })
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isLocalRequest(request) && !hasToken(request, env.METRICS_TOKEN)) return reply.callNotFound()
    const gauges = await withDeadline(readGauges(), GAUGES_DEADLINE).catch(() => null)
    const { type, text } = await metrics.write(gauges)
    return reply.header('cache-control', 'no-store').type(type).send(text)
  })
}

/** Checks the socket and the Host header: a page whose DNS name points here (DNS rebinding) is rejected. */
function isLocalRequest(request: FastifyRequest): boolean {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return isLoopbackHost(peer) && isLoopbackHost(request.hostname) && !isForwarded(request)
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  if (!token) return false
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
