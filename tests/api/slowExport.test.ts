import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { exportRatings } from '../../contract/profiles.ts'
import { makeMicrogenre, writeRatings } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'

/** More than connections to the database, and more ratings than the buffers on the way can hold. */
const READERS = 12
const RATINGS = 40_000

const app = setUpApp()
const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

test('listeners who do not read their export keep nobody else from the database', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, RATINGS)
  await writeRatings(app.db, ada.id, genre.songs)
  const begun = Array.from({ length: READERS }, () => beginExport(ada.cookies.get('session') ?? ''))
  await Promise.all(begun)

  const bob = await app.signIn()
  for (let i = 0; i < 20; i++) expect((await bob.call(getCurrentUser)).status).toBe(200)
})

test('the export is whole over many batches, also of one moment', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1700)
  await writeRatings(app.db, ada.id, genre.songs)
  // The place in the order is then the song’s alone.
  await app.db`update ratings set rated_at = '2026-01-01 00:00:00.123456Z' where user_id = ${ada.id}`
  const { status, body } = await ada.raw(`${exportRatings.path}?format=json`)
  const titles = (body as { title: string }[]).map(({ title }) => title)

  expect(status).toBe(200)
  expect(titles).toHaveLength(1700)
  expect(new Set(titles).size).toBe(1700)
})

/** Asks, reads the beginning of the answer, and then nothing more. */
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
