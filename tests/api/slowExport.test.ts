import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { exportRatings } from '../../contract/profiles.ts'
import { makeMicrogenre, writeRatings } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { scaled } from '../harness/tier.ts'

/** More than the database pool, and more ratings than the buffers on the way can hold. */
const READERS = 9
const RATINGS = scaled(20_000, 40_000)

const app = setUpApp()
const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

// Creates a long export for each of them, all in this process.
test('listeners who do not read their export do not block the database for others', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const genre = await makeMicrogenre(app.db, RATINGS)
  await writeRatings(app.db, ada.id, genre.songs)
  const begun = Array.from({ length: READERS }, () => beginExport(ada.cookies.get('session') ?? ''))
  await Promise.all(begun)

  // One may be late while the first bytes are being written; if the pool were exhausted, all would be.
  for (let i = 0; i < 20; i++)
    await expect.poll(async () => (await bob.call(getCurrentUser)).status).toBe(200)
})

test('an export over many batches is complete, also when all ratings have the same time', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1700)
  await writeRatings(app.db, ada.id, genre.songs)
  // Then only the song decides the order.
  await app.db`update ratings set rated_at = '2026-01-01 00:00:00.123456Z' where user_id = ${ada.id}`
  const { status, body } = await ada.raw(`${exportRatings.path}?format=json`)
  const titles = (body as { title: string }[]).map(({ title }) => title)

  expect(status).toBe(200)
  expect(titles).toHaveLength(1700)
  expect(new Set(titles).size).toBe(1700)
})

/** Sends the request, reads the start of the response and stops reading. */
function beginExport(session: string): Promise<void> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write(`GET ${exportRatings.path} HTTP/1.1\r\nHost: x\r\nCookie: session=${session}\r\n\r\n`)
  return new Promise((resolve) => {
    socket.once('data', () => {
      socket.pause()
      resolve()
    })
  })
}
