import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { createGrowth, growWhereLow } from '../../server/catalogue/growth/growWhereLow.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { readEnv } from '../../server/env.ts'
import { createListenbrainz } from '../../server/integrations/listenbrainz.ts'
import { createMusicbrainz } from '../../server/integrations/musicbrainz.ts'
import { type MadeMicrogenre, makeMicrogenre, nextSong, rateOn } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { startOutside } from '../stand-ins/outside.ts'
import { tagMusic } from '../stand-ins/wordIndex.ts'

/* catalogue-16: the server grows microgenres in which a listener has few songs left. */

const outside = setUpService(startOutside)

const app = setUpApp()

beforeEach(async () => {
  outside.reset()
  await app.db`
    truncate song_candidates, microgenre_growth, provider_cache, listener_genres, listener_last_days, not_now, ratings`
  await app.db`delete from songs where recording_mbid is not null`
})
const ada = setUpListener(app)

test('catalogue-16: a listener with few songs left hears new ones in the same pass; other microgenres do not grow', async () => {
  const bob = await app.signIn()
  const [low, high] = [await makeMicrogenre(app.db, 12), await makeMicrogenre(app.db, 12)]
  tagMusic(outside, tagOf(low), plain(25))
  await rateOn(ada, low.id, { most: 3 })
  await rateOn(bob, high.id, { most: 2 })
  await growNow()

  // Bob has ten songs left.
  expect(outside.listenbrainz.radios).toEqual([tagOf(low)])
  expect(await countSongs(high)).toBe(12)
  expect(await countSongs(low)).toBe(32)
  const heard = await rateOn(ada, low.id)
  expect(heard).toHaveLength(9 + 20)
  expect(await nextSong(ada, low.id)).toBeNull()

  // Ada has heard them all: the rest comes, then nothing until the next day.
  await growNow()
  expect(await rateOn(ada, low.id)).toHaveLength(5)
  await growNow()
  await app.db`delete from provider_cache`
  await growNow()
  expect(outside.listenbrainz.radios).toHaveLength(1)
  await app.db`update microgenre_growth set next_at = now()`
  await growNow()
  expect(outside.listenbrainz.radios).toHaveLength(2)
  expect(await countSongs(low)).toBe(37)
})

test('listeners who have not rated for a week do not make a microgenre grow', async () => {
  const genre = await makeMicrogenre(app.db, 4)
  await rateOn(ada, genre.id, { most: 1 })
  await rollUp(app.db)
  await app.db`update listener_last_days set day = day - 8`
  await growNow()

  expect(outside.musicbrainz.requests).toEqual([])
})

test('two processes grow a microgenre once', async () => {
  const genre = await makeMicrogenre(app.db, 4)
  tagMusic(outside, tagOf(genre), plain(5))
  await rateOn(ada, genre.id, { most: 1 })
  await Promise.all([growNow(), growNow()])

  expect(outside.listenbrainz.radios).toEqual([tagOf(genre)])
  expect(await countSongs(genre)).toBe(9)
})

test('an unreachable service only delays growth', async () => {
  const genre = await makeMicrogenre(app.db, 4)
  tagMusic(outside, tagOf(genre), plain(5))
  await rateOn(ada, genre.id, { most: 1 })
  outside.musicbrainz.behave('gone')
  await growNow()
  expect(await countSongs(genre)).toBe(4)

  outside.musicbrainz.behave('ok')
  await growNow()
  expect(await countSongs(genre)).toBe(4)
  // Ten minutes later.
  await app.db`update microgenre_growth set next_at = next_at - interval '10 minutes'`
  await growNow()
  expect(await countSongs(genre)).toBe(9)
})

test('a server that stops does not wait for a response, and the next one continues', async () => {
  const genre = await makeMicrogenre(app.db, 4)
  tagMusic(outside, tagOf(genre), plain(5))
  await rateOn(ada, genre.id, { most: 1 })
  await rollUp(app.db)
  outside.musicbrainz.hangAfter(0)
  const stopping = new AbortController()
  const growing = createGrowth(place())(stopping.signal).catch(() => {})
  await expect.poll(() => outside.musicbrainz.requests.length).toBe(1)
  const started = performance.now()
  stopping.abort()
  await growing
  // The client itself would wait for 20 seconds.
  expect(performance.now() - started).toBeLessThan(10_000)

  outside.musicbrainz.hangAfter(Number.POSITIVE_INFINITY)
  await growNow()
  expect(await countSongs(genre)).toBe(9)
})

const plain = (count: number) => Array.from({ length: count }, () => ({}))

const tagOf = ({ name }: MadeMicrogenre) => name.toLowerCase()

/** What the server does every ten seconds, with clients of its own. */
async function growNow(): Promise<void> {
  await rollUp(app.db)
  await growWhereLow(place(), '0', new AbortController().signal)
}

function place() {
  const env = readEnv({ NODE_ENV: 'test', ...outside.env })
  const log = pino({ level: 'silent' })
  const integrations = {
    listenbrainz: createListenbrainz(env, log, app.db),
    musicbrainz: createMusicbrainz(env, log, app.db),
  }
  return { db: app.db, env, log, integrations }
}

async function countSongs({ id }: MadeMicrogenre): Promise<number> {
  const [row] = await app.db<{ songs: number }[]>`
    select count(*)::int as songs from songs where microgenre_id = ${id}`
  return row?.songs ?? 0
}
