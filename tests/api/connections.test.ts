import diagnostics from 'node:diagnostics_channel'
import http from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'

/* A server limits its connections. The tests use other addresses of this machine as other networks. */

const LIMITS = { max: 20, perNetwork: 8 }
const app = setUpApp({}, { connections: LIMITS })
const proxied = setUpApp({ TRUST_PROXY: '127.0.0.1' }, { connections: LIMITS })
const sockets: Socket[] = []
/** The server's ends of the connections, which are in this process. */
const accepted: Socket[] = []
const keep = (message: unknown) => accepted.push((message as { socket: Socket }).socket)

beforeAll(() => diagnostics.subscribe('net.server.socket', keep))
afterAll(() => diagnostics.unsubscribe('net.server.socket', keep))
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect.poll(() => accepted.every(({ destroyed }) => destroyed)).toBe(true)
})

test('limits-4: connections of one network beyond its share are refused, and others still get responses', async () => {
  const silent = await openSilent(app, '127.0.0.2', 8)

  expect(await ask(app, '127.0.0.2')).toBe('refused')
  expect(await ask(app, '127.0.0.3')).toBe(401)
  silent[0]?.destroy()
  await expect.poll(() => ask(app, '127.0.0.2')).toBe(401)
  expect(silent.slice(1).every(({ closed }) => !closed)).toBe(true)
})

test('a trusted proxy may use all connections of the server', async () => {
  await openSilent(proxied, '127.0.0.1', 12)

  expect(await ask(proxied, '127.0.0.1')).toBe(401)
  await openSilent(proxied, '127.0.0.2', 8)
  await openSilent(proxied, '127.0.0.3', 8)
  expect(await ask(proxied, '127.0.0.1'), 'the server is full').toBe('refused')
})

test('a full server refuses connections, and accepts again when one closes', async () => {
  const [one] = await openSilent(app, '127.0.0.4', 8)
  await openSilent(app, '127.0.0.5', 8)
  await openSilent(app, '127.0.0.6', 4)

  expect(await ask(app, '127.0.0.7')).toBe('refused')
  one?.destroy()
  await expect.poll(() => ask(app, '127.0.0.7')).toBe(401)
})

test('idle keep-alive connections are closed to make room for new ones', async () => {
  const agents: http.Agent[] = []
  for (let i = 0; i < 40; i++) {
    const agent = new http.Agent({ keepAlive: true })
    agents.push(agent)
    expect(await ask(app, `127.0.0.${10 + (i % 5)}`, agent)).toBe(401)
  }
  for (const agent of agents) agent.destroy()
})

/** Idle connections. They are accepted before any request that follows. */
async function openSilent({ url }: TestApp, localAddress: string, many: number): Promise<Socket[]> {
  const opened = Array.from({ length: many }, () => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    sockets.push(socket)
    return new Promise<Socket>((resolve) => socket.once('connect', () => resolve(socket)))
  })
  return Promise.all(opened)
}

/** The status of a call, or 'refused' when the connection is closed. */
function ask({ url }: TestApp, localAddress: string, agent: http.Agent | false = false) {
  return new Promise<number | 'refused'>((resolve) => {
    const call = http.get(`${url}${getCurrentUser.path}`, { localAddress, agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    call.on('error', () => resolve('refused'))
  })
}
