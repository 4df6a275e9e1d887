import http from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from '@playwright/test'
import { startTestServer } from './testServer.ts'

/* A server with a low limit of open files: connections must not use it up. */

test('more idle connections than file descriptors do not crash the server, and it answers others', async () => {
  const files = 256
  const app = await startTestServer({}, { files })
  const sockets: Socket[] = []
  try {
    for (let i = 0; i < files + 50; i++) {
      const socket = connect({
        port: Number(new URL(app.url).port),
        host: '127.0.0.1',
        localAddress: '127.0.0.2',
      })
      socket.on('error', () => {})
      sockets.push(socket)
    }
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))

    const statuses: unknown[] = []
    // Longer than all of the server's one-second timers.
    const end = Date.now() + 2500
    while (Date.now() < end) statuses.push(await ask(`${app.url}/health`))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await app.stop()).toBe(0)
    expect(app.output()).not.toContain('EMFILE')
  } finally {
    for (const socket of sockets) socket.destroy()
    await app.close()
  }
})

function ask(url: string): Promise<unknown> {
  return new Promise((resolve) => {
    const call = http.get(url, { agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    })
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
}
