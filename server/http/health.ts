import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/connection.ts'
import { withDeadline } from './deadline.ts'
import { HttpError } from './HttpError.ts'

/** Milliseconds in which a server that can serve says so. */
const HEALTH_DEADLINE = 2000

/**
 * What those ask who watch a server: /health, whether it can serve; /ready, whether it should be sent listeners,
 * which is over as soon as it is told to stop; /live, whether the process answers at all. A database that is away
 * makes a process unfit, not dead: starting it again would not help.
 */
export function answerHealth(app: FastifyInstance, db: Database, isStopping: () => boolean): void {
  const canServe = () => withDeadline(Promise.resolve(db`select 1`), HEALTH_DEADLINE)
  const questions = {
    '/health': canServe,
    '/ready': async () => {
      if (isStopping()) throw new HttpError(503, 'The server is stopping.', { retryAfter: 1 })
      await canServe()
    },
    '/live': async () => {},
  }
  for (const [path, ask] of Object.entries(questions)) {
    app.get(path, { schema: { hide: true } }, async (_, reply) => {
      await ask()
      return reply.header('cache-control', 'no-store').send({ status: 'ok' })
    })
  }
}

/** From the signal to stop on, each answer is the last one of its connection: nobody's next call meets a closed one. */
export function endConnections(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onRequest', (_, reply, done) => {
    if (isStopping()) reply.header('connection', 'close')
    done()
  })
}
