import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { networkSocket } from './networkSocket.ts'

/** Milliseconds; it is looked twice in that time. */
const SILENCE = 400

const opened: { destroy(): void }[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each.destroy()
})

test('a server that was told something and says nothing is given up', async () => {
  const { socket } = await open()
  socket.write('anybody?')

  await once(socket, 'close')
})

test('an answer that came while this process stood still is an answer', async () => {
  const { socket, server } = await open()
  socket.write('anybody?')
  // From the first look on it is waited for.
  await wait(SILENCE / 2 + 50)
  // After the phase that reads: the next look comes before the answer is read.
  await new Promise(setImmediate)
  server.write('yes')
  standStill(SILENCE + 200)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  await new Promise(setImmediate)

  expect(String(answer)).toBe('yes')
  expect(socket.destroyed).toBe(false)
})

async function open(): Promise<{ socket: Socket; server: Socket }> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const socket = networkSocket(SILENCE).connect(port, '127.0.0.1')
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
