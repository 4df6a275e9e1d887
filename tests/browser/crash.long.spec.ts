import type { APIRequestContext, APIResponse } from '@playwright/test'
import { getNextSong, listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import type { BodyOf, ResponseOf } from '../../contract/endpoint.ts'
import { listRatings } from '../../contract/library.ts'
import { linkListenbrainz } from '../../contract/listenbrainz.ts'
import type { Song } from '../../contract/shapes.ts'
import { writeRatings } from '../factories.ts'
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

test('library-34: kill -9 of every process while ratings are sent to ListenBrainz: it holds the last state of each song', async ({
  request,
  app,
}) => {
  const { db, listenbrainz } = app
  await signInByLink(request, newEmail())
  const [user] = await db<{ id: string }[]>`select id from users order by id desc limit 1`
  await db`update songs set recording_mbid = '00000000-0000-4000-8000-' || lpad(id::text, 12, '0')`
  const songs = await db<{ id: string }[]>`select id from songs order by id limit 500`
  await writeRatings(
    db,
    user?.id ?? '',
    songs.map(({ id }) => id),
    (n) => n % 3 > 0,
  )
  const token = listenbrainz.join('ada')
  await read(() => request.fetch(linkListenbrainz.path, { method: 'PUT', data: { token } }))
  const scores = listenbrainz.feedbackOf('ada')
  const isDue = () => db`update listenbrainz_links set next_at = now()`
  for (const kills of [1, 2]) {
    let sent = 0
    listenbrainz.onChange = () => sent++
    await isDue()
    await expect.poll(() => sent, { timeout: 60_000, intervals: [10] }).toBeGreaterThanOrEqual(40)
    await app.kill('both')
    listenbrainz.behave('down')
    await app.start()
    // Changes of mind while it does not answer.
    await db`update ratings set banger = not banger, rated_at = now() where song_id % ${4 + kills} = 1`
    await isDue()
    listenbrainz.behave('ok')
  }
  const wanted = await db<{ mbid: string }[]>`
    select '00000000-0000-4000-8000-' || lpad(song_id::text, 12, '0') as mbid from ratings
    where user_id = ${user?.id ?? ''} and banger order by 1`
  await expect
    .poll(
      async () => {
        await isDue()
        return [...scores]
          .filter(([, score]) => score === 1)
          .map(([mbid]) => mbid)
          .sort()
      },
      { timeout: 120_000 },
    )
    .toEqual(wanted.map(({ mbid }) => mbid))
  expect([...scores.values()].every((score) => score === 1)).toBe(true)
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
