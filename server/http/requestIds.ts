import { randomUUID } from 'node:crypto'
import type { FastifyInstance, RawRequestDefaultExpression } from 'fastify'
import type { Env } from '../env.ts'

const REQUEST_ID_HEADER = 'x-request-id'

/** A new id per request; behind a trusted proxy its own id, so that both logs match. */
export function makeRequestIds(env: Env): (request: RawRequestDefaultExpression) => string {
  const isBehindProxy = env.TRUST_PROXY !== undefined && env.TRUST_PROXY !== 'false'
  return ({ headers }) => {
    const proxyId = isBehindProxy ? headers[REQUEST_ID_HEADER] : undefined
    return typeof proxyId === 'string' && /^[\w.:-]{8,100}$/.test(proxyId) ? proxyId : randomUUID()
  }
}

/** Every answer carries the id that the log uses (`reqId`). */
export function sendRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    done()
  })
}
