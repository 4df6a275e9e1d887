import { randomUUID } from 'node:crypto'
import type { FastifyInstance, RawRequestDefaultExpression } from 'fastify'
import type { Env } from '../env.ts'

const HEADER = 'x-request-id'

/** A new id for each request; behind a proxy the one that it gave, so that both logs speak of the same. */
export function makeRequestIds(env: Env): (request: RawRequestDefaultExpression) => string {
  const isBehindProxy = env.TRUST_PROXY !== undefined && env.TRUST_PROXY !== 'false'
  return ({ headers }) => {
    const given = isBehindProxy ? headers[HEADER] : undefined
    return typeof given === 'string' && /^[\w.:-]{8,100}$/.test(given) ? given : randomUUID()
  }
}

/** Every answer names the id under which the log tells of it (`reqId`). */
export function sendRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(HEADER, request.id)
    done()
  })
}
