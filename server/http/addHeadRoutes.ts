import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * HEAD answers wherever GET does, with its status and headers (calls-10, RFC 9110 §9.3.2). Node leaves out the body,
 * and a file is not read for it. Register it before the routes. Handlers whose GET changes something ask
 * `Exchange.isHead`.
 */
export function addHeadRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    if (methods.includes('GET') && !methods.includes('HEAD')) route.method = [...methods, 'HEAD']
  })
  app.addHook('onSend', (request, _, payload, done) => {
    if (request.method !== 'HEAD') return done(null, payload)
    // An empty text and not nothing: Fastify then tells its length, as for GET.
    if (!(payload instanceof Readable)) return done(null, payload ?? '')
    payload.on('error', () => {}).destroy()
    done(null, Readable.from([]))
  })
}
