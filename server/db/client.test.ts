import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { networkSocket } from './client.ts'

/** Milliseconds; the socket is checked twice in that time. */
const RESPONSE_TIMEOUT = 400

const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.destroy()
})

test('a connection whose server does not respond is closed', async () => {
  const { socket } = await open()
  socket.write('anybody?')

  await once(socket, 'close')
})

test('a response that arrived while this process was paused counts', async () => {
  const { socket, server } = await open()
  socket.write('anybody?')
  // The first check starts the time.
  await wait(RESPONSE_TIMEOUT / 2 + 50)
  // After the poll phase: the next check runs before the response is read.
  await new Promise(setImmediate)
  server.write('yes')
  standStill(RESPONSE_TIMEOUT + 200)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  await new Promise(setImmediate)

  expect(String(answer)).toBe('yes')
  expect(socket.destroyed).toBe(false)
})

async function open(): Promise<{ socket: Socket; server: Socket }> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const socket = networkSocket(RESPONSE_TIMEOUT).connect(port, '127.0.0.1')
  const [[server]] = (await Promise.all([once(listener, 'connection'), once(socket, 'connect')])) as [
    [Socket],
    unknown,
  ]
  opened.push(socket, server, { destroy: () => listener.close() })
  return { socket, server }
}

function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
