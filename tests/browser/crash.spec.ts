import type { APIRequestContext } from '@playwright/test'
import { getNextSong, listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { expect, newEmail, signInRequest, test } from './fixtures.ts'

/* Nothing that was acknowledged is lost, whatever is killed under load. */

test('kill -9 of the server: the next start adopts the database, and every acknowledged rating is there', async ({
  request,
  house,
}) => {
  await signInRequest(request, newEmail())
  const acknowledged = await rateUntil(request, () => house.kill('server'))
  await house.start()
  expect(house.output()).toContain('adopted the running database')
  await expectRatings(request, acknowledged)
})

test('kill -9 of every process: the next start recovers, and every acknowledged rating is there', async ({
  request,
  house,
}) => {
  await signInRequest(request, newEmail())
  const acknowledged = await rateUntil(request, () => house.kill('both'))
  await house.start()
  await expectRatings(request, acknowledged)
})

test('only the database dies: the server brings it back by itself, and every acknowledged rating is there', async ({
  request,
  house,
}) => {
  await signInRequest(request, newEmail())
  const acknowledged = await rateUntil(request, () => house.kill('database'))
  await expect.poll(async () => (await request.get('/health')).status(), { timeout: 20_000 }).toBe(200)
  await expectRatings(request, acknowledged)
})

/** Rates on, one song after another, until the first failure after `blow`. Gives the songs whose rating was answered. */
async function rateUntil(request: APIRequestContext, blow: () => Promise<void>): Promise<string[]> {
  const acknowledged: string[] = []
  const microgenres = (await (await request.get(listMicrogenres.path)).json()) as { id: string }[]
  for (const { id } of microgenres) {
    let song = await firstSong(request, id)
    while (song) {
      if (acknowledged.length === 25) void blow()
      const answer = await request
        .post(rateAndAdvance.path, { data: { microgenreId: id, songId: song, rating: 'banger' } })
        .catch(() => null)
      if (!answer?.ok()) return acknowledged
      acknowledged.push(song)
      song = ((await answer.json()) as { nextSong: { id: string } | null }).nextSong?.id
    }
  }
  throw new Error('Every song was rated before anything failed.')
}

async function firstSong(request: APIRequestContext, microgenreId: string): Promise<string | undefined> {
  const answer = await request.get(getNextSong.path.replace(':id', microgenreId)).catch(() => null)
  return answer?.ok() ? ((await answer.json()) as { id: string }).id : undefined
}

async function expectRatings(request: APIRequestContext, songs: string[]): Promise<void> {
  expect(songs.length).toBeGreaterThanOrEqual(25)
  const ratings = (await (await request.get(listRatings.path)).json()) as { song: { id: string } }[]
  const found = ratings.map(({ song }) => song.id)
  expect(found).toEqual(expect.arrayContaining(songs))
  expect(new Set(found).size, 'one row a song').toBe(found.length)
}
