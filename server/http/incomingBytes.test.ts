import http from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handleClientError } from './errors.ts'
import { bytesOf, disableBodyParsing } from './incomingBytes.ts'

/** Requests may take a second here, in which a file of some megabytes arrives; the server checks five times in it. */
let app: FastifyInstance
beforeAll(async () => {
  app = fastify({
    requestTimeout: 1000,
    http: { headersTimeout: 600, connectionsCheckingInterval: 200 },
    clientErrorHandler: handleClientError,
  })
  app.post('/words', async () => 'read')
  app.register(async (scope) => {
    disableBodyParsing(scope)
    scope.put('/file', async (request) => {
      let size = 0
      for await (const chunk of bytesOf(request).read()) size += chunk.length
      return { size }
    })
    scope.put('/refuse', async (_, reply) => reply.status(413).send({ message: 'no' }))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

test('a file may take longer to arrive than another request (uploads-10)', async () => {
  const file = begin('PUT', '/file', 6)
  file.write('one')
  // Both start after the file and time out, so the time of an ordinary request has passed for the file too.
  for (const _ of ['once', 'again']) {
    const words = begin('POST', '/words', 100)
    words.write('{')
    expect(await words.answer).toEqual({
      status: 408,
      text: '{"message":"The request took too long to arrive."}',
    })
  }
  file.write('two')

  expect(await file.answer).toEqual({ status: 200, text: '{"size":6}' })
})

test('a request rejected before its file was read gets the response, and the connection stays open', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const bytes = 3_000_000
  const refused = begin('PUT', '/refuse', bytes, agent)
  refused.end('x'.repeat(bytes))
  expect((await refused.answer).status).toBe(413)
  const next = begin('PUT', '/file', 1, agent)
  next.end('x')

  expect(await next.answer).toEqual({ status: 200, text: '{"size":1}' })
  agent.destroy()
})

function begin(method: string, path: string, length: number, agent?: http.Agent) {
  const { port } = app.server.address() as AddressInfo
  const headers = { 'content-length': length, 'content-type': 'application/json' }
  const call = http.request({ host: '127.0.0.1', port, method, path, headers, agent })
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('error', () => resolve({ status: response.statusCode, text }))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
  })
  return {
    answer,
    write: (bytes: string) => void call.write(bytes),
    end: (bytes: string) => void call.end(bytes),
  }
}
