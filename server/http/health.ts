import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/connection.ts'
import { readArrival } from './arrival.ts'
import { withDeadline } from './deadline.ts'
import { HttpError } from './HttpError.ts'

/** Milliseconds within which a healthy server answers. */
const HEALTH_DEADLINE = 2000

/**
 * /health: whether it works. /ready: whether it should get traffic, which it should not during shutdown. /live:
 * whether the process responds. Without its database the process is unhealthy but alive: a restart would not help.
 * The doctor is also told how its request arrived.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  { db, secret }: { db: Database; secret: string },
  isStopping: () => boolean,
): void {
  const canServe = () => withDeadline(Promise.resolve(db`select`), HEALTH_DEADLINE)
  const checks = {
    '/health': canServe,
    '/ready': async () => {
      if (isStopping()) throw new HttpError(503, 'The server is stopping.', { retryAfter: 1 })
      await canServe()
    },
    '/live': async () => {},
  }
  for (const [path, check] of Object.entries(checks)) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      await check()
      const arrival = readArrival(request, secret)
      return reply.header('cache-control', 'no-store').send({ status: 'ok', ...(arrival && { arrival }) })
    })
  }
}

/** After a stop signal each response closes its connection, so that no later call uses a closed one. */
export function closeConnections(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onRequest', (_, reply, done) => {
    if (isStopping()) reply.header('connection', 'close')
    done()
  })
}
