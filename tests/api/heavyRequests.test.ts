import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { sendFeedback } from '../../contract/feedback.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { scaled } from '../harness/tier.ts'
import { refusal } from '../harness/visitor.ts'

const app = setUpApp()
/** Short timeouts in milliseconds, to keep the tests of slow clients fast. Requests that must arrive use `app`. */
const TIMEOUTS = { request: 600, idle: 900 }
const impatient = setUpApp({}, { timeouts: TIMEOUTS })
const late = setUpApp({}, { maxEventLoopDelay: 100 })
const patient = setUpApp({}, { maxEventLoopDelay: 4000 })
const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

test('a body is rejected by its announced length, before it is sent', async () => {
  const line = open()
  line.send(
    `POST ${sendFeedback.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000000000\r\n\r\n`,
  )

  expect(await line.readToEnd()).toMatch(/^HTTP\/1\.1 413 .*\{"message":"The body is too large\."\}/s)
})

test('a client that sends 10 MB before reading still receives the error', async () => {
  const line = open()
  line.send(
    `POST ${sendFeedback.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n`,
  )
  await line.sent('x'.repeat(10_000_000))

  expect(await line.readToEnd()).toMatch(/^HTTP\/1\.1 413 .*\{"message":"The body is too large\."\}$/s)
})

test('a body that grows too long is rejected while it arrives', async () => {
  const line = open()
  line.send(
    `POST ${sendFeedback.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  for (let i = 0; i < 20; i++) line.send(`2000\r\n${'x'.repeat(0x2000)}\r\n`)

  expect(await line.readToEnd()).toMatch(/^HTTP\/1\.1 413 /)
})

test.each([
  ['deep', '['.repeat(60_000)],
  ['deep and complete', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['deep in objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['an object of many fields', `{${Array.from({ length: 6000 }, (_, i) => `"k${i}":1`)}}`],
  ['a long number', `{"bio":${'9'.repeat(60_000)}}`],
  ['a prototype pollution attempt', '{"__proto__":{"isPublic":true},"bio":"x"}'],
])('JSON that is %s is answered at once', async (_, body) => {
  const ada = await app.signIn()
  const before = process.cpuUsage()
  const { status } = await ada.raw(updateProfile.path, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/json' },
  })

  expect([200, 400]).toContain(status)
  // CPU time in microseconds, so that other programs on the machine do not count.
  expect(process.cpuUsage(before).user).toBeLessThan(3_000_000)
  expect((await ada.call(getCurrentUser)).body).toMatchObject({ isPublic: false })
})

test.each([
  ['a header', { 'x-long': 'x'.repeat(20_000) }, ''],
  ['a cookie', { cookie: Array.from({ length: 2000 }, (_, i) => `c${i}=${i}`).join('; ') }, ''],
  ['a URL', {}, `?x=${'x'.repeat(20_000)}`],
])('%s that is too long is rejected in JSON', async (_, headers: Record<string, string>, search) => {
  expect(await app.visitor().raw(`${getCurrentUser.path}${search}`, { headers })).toMatchObject(
    refusal(431, 'The headers are too large.'),
  )
})

test('bytes that are not HTTP are rejected in JSON', async () => {
  const line = open()
  line.send('HELO mail.example\r\n\r\n')

  expect(await line.readToEnd()).toMatch(/^HTTP\/1\.1 400 .*\{"message":"The request cannot be read\."\}/s)
})

test('an overloaded process answers 503 with Retry-After, and recovers when the load ends', async () => {
  const getUser = () => late.visitor().raw(getCurrentUser.path)
  const busy = setInterval(() => standStill(300), 1)
  try {
    await expect.poll(getUser).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      body: { message: expect.stringContaining('busy') },
    })
  } finally {
    clearInterval(busy)
  }
  await expect.poll(async () => (await getUser()).status).toBe(401)
})

test('a process that pauses for a second now and then rejects no call', async () => {
  const statuses = new Set<number>()
  for (let i = 0; i < scaled(1, 3); i++) {
    // The second pause begins right after the delay was measured, so that it ends without a sample.
    standStill(1200)
    await new Promise((resolve) => setImmediate(resolve))
    standStill(1200)
    await new Promise((resolve) => setImmediate(resolve))
    statuses.add((await patient.visitor().raw(getCurrentUser.path)).status)
  }
  expect([...statuses]).toEqual([401])
})

test('slow clients: headers that never end time out, and other requests are answered meanwhile', async () => {
  const lines = Array.from({ length: 50 }, () => open(impatient))
  for (const line of lines) line.drip(`GET ${getCurrentUser.path} HTTP/1.1\r\nHost: x\r\n`, 'X-More: x\r\n')
  expect((await impatient.visitor().call(getCurrentUser)).status).toBe(401)

  for (const answer of await Promise.all(lines.map((line) => line.readToEnd())))
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*\{"message":"The request took too long to arrive\."\}/s)
})

test('slow clients: a body sent letter by letter times out', async () => {
  const line = open(impatient)
  line.drip(
    `POST ${sendFeedback.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
    ' ',
  )

  expect(await line.readToEnd()).toMatch(/^HTTP\/1\.1 408 /)
})

test('slow clients: a silent connection is closed', async () => {
  await open(impatient).readToEnd()
})

test('slow clients: a connection that does not read its responses is closed', async () => {
  const line = open(impatient)
  line.drip('GET /docs/json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200), '\r\n')

  await line.waitForReset()
})

/** A raw connection to the server. */
function open({ url } = app) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  let received = ''
  socket.setEncoding('latin1')
  // These tests expect the server to reset connections.
  socket.on('error', () => {})
  const socketClosed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  return {
    connected: new Promise<void>((resolve) => socket.once('connect', () => resolve())),
    send: (text: string) => void socket.write(text),
    /** Fails when the server does not read all of it. */
    sent: (text: string) =>
      new Promise<void>((resolve, reject) =>
        socket.write(text, (error) => (error ? reject(error) : resolve())),
      ),
    /** Sends the beginning, then a little more every 50 ms. */
    drip(beginning: string, more: string) {
      socket.write(beginning)
      const timer = setInterval(() => socket.write(more), 50)
      socket.on('close', () => clearInterval(timer))
    },
    async readToEnd() {
      socket.on('data', (text: string) => {
        received += text
      })
      await socketClosed
      return received
    },
    /** Does not read meanwhile; the next write fails. */
    waitForReset: () => socketClosed,
  }
}

function standStill(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
