import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../db/connection.ts'
import { HttpError, withDeadline } from './HttpError.ts'

/** Milliseconds within which a healthy server answers. */
const HEALTH_DEADLINE = 2000

/**
 * /health: whether the server works. /ready: whether it has started and should get traffic, which it should not during
 * shutdown. Without a database no other server could answer either, so it stays ready. /live: whether the process
 * responds. The doctor also gets to know how its request arrived.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  { db, secret }: { db: Database; secret: string },
  isStopping: () => boolean,
): void {
  let check: Promise<unknown> | undefined
  /** One statement at a time, however many ask. Nobody is refused: a visitor could make a probe fail. */
  const canServe = () => {
    check ??= withDeadline(Promise.resolve(db`select`), HEALTH_DEADLINE).finally(() => {
      check = undefined
    })
    return check
  }
  const checks = {
    '/health': canServe,
    '/ready': async () => {
      if (isStopping()) throw new HttpError(503, 'The server is stopping.', { retryAfter: 1 })
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

/** Closes each connection with its next response, so that no later call uses a connection that shutdown has closed. */
export function closeConnections(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onRequest', (_, reply, done) => {
    if (isStopping()) reply.header('connection', 'close')
    done()
  })
}

/** The header with which `npm run doctor` asks how its request arrived. */
export const DOCTOR_HEADER = 'x-doctor'

/** How a request arrived. */
interface Arrival {
  /** The addresses in X-Forwarded-For, the first sender's first. */
  forwardedFor: string[]
  /** How many of them the server trusts (TRUST_PROXY). */
  believed: number
}

/** Proves that the doctor knows the secret. It never changes, because all that it reveals is the caller's own way here. */
export const doctorToken = (secret: string): string =>
  createHmac('sha256', secret).update('doctor').digest('base64url')

/** Null for everybody but the doctor. */
function readArrival(request: FastifyRequest, secret: string): Arrival | null {
  const sentToken = Buffer.from(String(request.headers[DOCTOR_HEADER] ?? ''))
  const token = Buffer.from(doctorToken(secret))
  if (sentToken.length !== token.length || !timingSafeEqual(sentToken, token)) return null
  const addresses = String(request.headers['x-forwarded-for'] ?? '').split(',')
  return {
    forwardedFor: addresses.map((address) => address.trim()).filter(Boolean),
    // The first one is that of the socket's other end.
    believed: (request.ips?.length ?? 1) - 1,
  }
}
