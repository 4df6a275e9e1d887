import type { APIRequestContext, APIResponse } from '@playwright/test'
import { getNextSong, listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import type { BodyOf, ResponseOf } from '../../contract/endpoint.ts'
import { listRatings } from '../../contract/library.ts'
import type { Song } from '../../contract/shapes.ts'
import { expect, newEmail, signInByLink, test } from './fixtures.ts'

/* Acknowledged ratings survive, whatever process is killed under load. */

for (const [title, what] of [
  ['kill -9 of the server: the next start adopts the database', 'server'],
  ['kill -9 of every process: the next start recovers', 'both'],
  ['only the database dies: the server restarts it', 'database'],
] as const)
  test(`${title}, and every acknowledged rating is stored`, async ({ request, app }) => {
    await signInByLink(request, newEmail())
    const acknowledged = await rateUntil(request, () => app.kill(what))
    if (what === 'database') await expect.poll(async () => (await request.get('/health')).status()).toBe(200)
    else await app.start()
    if (what === 'server') await expect.poll(() => app.output()).toContain('adopted the running database')
    await expectRatings(request, acknowledged)
  })

/**
 * Rates one song after another until a call fails, and runs `kill` from the 25th on. Returns the acknowledged songs.
 */
async function rateUntil(request: APIRequestContext, kill: () => Promise<void>): Promise<string[]> {
  const acknowledged: string[] = []
  let falling: Promise<void> | undefined
  const ask = <T>(send: () => Promise<APIResponse>) => read<T>(send, () => !falling)
  try {
    const microgenres = await ask<ResponseOf<typeof listMicrogenres>>(() => request.get(listMicrogenres.path))
    for (const { id } of microgenres.filter(({ unratedCount }) => unratedCount > 0)) {
      let song = await ask<Song | null>(() => request.fetch(getNextSong.path.replace(':id', id)))
      while (song) {
        if (acknowledged.length === 25) falling = kill()
        const data: BodyOf<typeof rateAndAdvance> = { microgenreId: id, songId: song.id, rating: 'banger' }
        // With `fetch` every failure shows; `post` would try again.
        const rated = await ask<ResponseOf<typeof rateAndAdvance>>(() =>
          request.fetch(rateAndAdvance.path, { method: 'POST', data }),
        )
        acknowledged.push(song.id)
        song = rated.nextSong
      }
    }
  } catch (error) {
    if (!falling) throw error
    // The first failure may be known before the last process is dead.
    await falling
    return acknowledged
  }
  throw new Error('Every song was rated before anything failed.')
}

async function expectRatings(request: APIRequestContext, songs: string[]): Promise<void> {
  expect(songs.length).toBeGreaterThanOrEqual(25)
  const ratings = await read<ResponseOf<typeof listRatings>>(() => request.get(listRatings.path))
  const storedSongs = ratings.map(({ song }) => song.id)
  expect(storedSongs).toEqual(expect.arrayContaining(songs))
  expect(new Set(storedSongs).size, 'one row a song').toBe(storedSongs.length)
}

/** The response of a successful call. With `again`, a 503 is retried, as the page does on a busy machine. */
async function read<T>(send: () => Promise<APIResponse>, again = () => true): Promise<T> {
  const answer = await send()
  if (answer.status() === 503 && again()) return read(send, again)
  if (!answer.ok()) throw new Error(`${answer.status()} of ${answer.url()}`)
  return (await answer.json()) as T
}
