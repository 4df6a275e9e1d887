import fastify from 'fastify'
import { expect, test } from 'vitest'
import { NO_FRAMES } from './pageExtras.ts'
import { addHeadRoutes } from './requestHooks.ts'
import { sendPage } from './servePages.ts'

test.each(['gzip', 'br', 'identity'])('HEAD of a page tells the length of GET (%s)', async (encoding) => {
  const app = fastify({ exposeHeadRoutes: false })
  addHeadRoutes(app)
  const page = `<!doctype html><html lang="en">${'é'.repeat(5000)}</html>`
  app.setNotFoundHandler((request, reply) =>
    sendPage(page, request, reply, {
      frames: NO_FRAMES,
      findExtras: async () => null,
      hasSession: async () => false,
    }),
  )
  const headers = { 'accept-encoding': encoding }
  const get = await app.inject({ method: 'GET', url: '/map', headers })
  const head = await app.inject({ method: 'HEAD', url: '/map', headers })

  expect(get.headers['content-length']).toBe(String(get.rawPayload.length))
  expect(head.headers).toEqual({ ...get.headers, date: expect.anything() })
  await app.close()
})
