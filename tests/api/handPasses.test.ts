import { expect, test } from 'vitest'
import type { OfferedSong } from '../../contract/discovery.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { deferSong, listNextSongs, undoDefer } from '../../server/discovery/dealtSongs.ts'
import { restartMicrogenre } from '../../server/discovery/microgenres.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import { removeRating } from '../../server/library/ratings.ts'
import { type MadeMicrogenre, makeListener, makeMicrogenre, numbersFrom } from '../factories.ts'
import { brokenHands } from '../harness/counts.ts'
import { expectRecount, isOnCluster, setUpDatabase } from '../harness/setUpDatabase.ts'
import { SEED, scaled } from '../harness/tier.ts'

const database = setUpDatabase()
const env = readEnv({})

/** On a cluster a step takes ten times as long. */
const STEP_COUNT = isOnCluster() ? 1000 : scaled(500, 10_000)
/** Songs of each microgenre at first, and listeners who share it. */
const SONG_COUNTS = [3, 12, 40, 90]
const LISTENERS = 5

/** A listener's pass as the listener sees it. */
interface Pass {
  /** In the order in which the songs were first offered. */
  offered: string[]
  done: Set<string>
  putOff: Set<string>
  completedPasses: number
}

interface CatalogueState {
  genre: MadeMicrogenre
  live: Set<string>
  retired: Set<string>
  returned: Set<string>
}

test('discover-19, discover-49: in random steps every live song comes once a pass, in an order that never changes', async () => {
  const { db } = database
  let completedPasses = 0
  await Promise.all(
    SONG_COUNTS.map(async (size, seed) => {
      const genre = await makeMicrogenre(db, size)
      const catalogue: CatalogueState = {
        genre,
        live: new Set(genre.songs),
        retired: new Set(),
        returned: new Set(),
      }
      const random = numbersFrom(SEED + seed)
      const listeners: { id: string; pass: Pass; last: Undo | null }[] = []
      for (let n = 0; n < LISTENERS; n++)
        listeners.push({ id: await makeListener(db), pass: newPass(), last: null })
      for (let step = 0; step < STEP_COUNT / SONG_COUNTS.length; step++) {
        const listener = listeners[step % LISTENERS]
        if (!listener) break
        const { id, pass } = listener
        if (random() < 0.03) await changeCatalogue(catalogue, random)
        if (random() < 0.02) await rollUp(db)
        const offered = await expectOffered(id, catalogue, pass)
        listener.last = await takeStep(id, catalogue, pass, offered, listener.last, random)
        completedPasses += pass.completedPasses
        pass.completedPasses = 0
      }
    }),
  )
  expect(completedPasses).toBeGreaterThan(scaled(2, 50))
  await expectRecount(db)
  // A dealt song that is retired leaves a gap.
  expect((await brokenHands(db)).filter(({ isTorn }) => isTorn)).toEqual([])
}, 600_000)

type Undo = { song: OfferedSong; ratedAt: string } | { song: OfferedSong; saidAt: string | null }

const newPass = (): Pass => ({ offered: [], done: new Set(), putOff: new Set(), completedPasses: 0 })

/** The next songs must be the promised ones, then new ones, then deferred ones. */
async function expectOffered(
  id: string,
  { genre, live, returned }: CatalogueState,
  pass: Pass,
): Promise<OfferedSong[]> {
  // A song that was retired for a while may have lost its place, and is dealt anew.
  const [row] = await database.db<{ ahead: string[] }[]>`
    select ahead::text[] as ahead from listener_genres where user_id = ${id} and microgenre_id = ${genre.id}`
  pass.offered = pass.offered.filter(
    (song) =>
      !returned.has(song) || pass.done.has(song) || pass.putOff.has(song) || row?.ahead.includes(song),
  )
  const offered = await listNextSongs(database.db, env, id, genre.id, 5)
  const fresh = offered.filter(({ putOff }) => !putOff).map((song) => song.id)
  const isToCome = (song: string) => live.has(song) && !pass.done.has(song) && !pass.putOff.has(song)
  const prefetchedIds = pass.offered.filter(isToCome)
  expect(fresh.slice(0, prefetchedIds.length)).toEqual(prefetchedIds.slice(0, 5))
  const newSongs = fresh.slice(prefetchedIds.length)
  expect(newSongs.filter((song) => !isToCome(song) || prefetchedIds.includes(song))).toEqual([])
  pass.offered.push(...newSongs)
  expect(offered.slice(fresh.length).map((song) => song.id)).toEqual(
    [...pass.putOff].filter((song) => live.has(song) && !pass.done.has(song)).slice(0, 5 - fresh.length),
  )
  // Fewer than five songs are all that remain.
  const unratedSongs = [...live].filter((song) => !pass.done.has(song))
  expect(offered).toHaveLength(Math.min(5, unratedSongs.length))
  const [first] = await listNextSongs(database.db, env, id, genre.id, 1)
  expect(first?.id).toBe(offered[0]?.id)
  return offered
}

/** One step of a listener, or two at once from two tabs. Returns how to undo it. */
async function takeStep(
  id: string,
  catalogue: CatalogueState,
  pass: Pass,
  offered: readonly OfferedSong[],
  last: Undo | null,
  random: () => number,
): Promise<Undo | null> {
  const { db } = database
  const { genre } = catalogue
  const [song] = offered
  const chance = random()
  if (!song || chance < 0.01) {
    if (!song) pass.completedPasses += 1
    await restartMicrogenre(db, id, genre.id)
    Object.assign(pass, { offered: [], done: new Set(), putOff: new Set() })
    return null
  }
  if (chance < 0.12 && last) {
    await undo(id, catalogue, pass, last)
    return null
  }
  if (chance < 0.16) {
    const [rated] = [...pass.done].filter((each) => pass.offered.includes(each) && !pass.putOff.has(each))
    if (!rated) return null
    await removeRating(db, id, rated, { undo: false }).catch(() => {})
    const currentRatings = await db`
      select from ratings r join listener_genres g using (user_id, microgenre_id, pass)
      where r.user_id = ${id} and r.song_id = ${rated}`
    if (currentRatings.length === 0) pass.done.delete(rated)
    return null
  }
  if (chance < 0.3) {
    const deferral = await deferSong(db, env, id, {
      microgenreId: genre.id,
      songId: song.id,
      again: song.putOff,
    })
    if (song.putOff) pass.done.add(song.id)
    pass.putOff.add(song.id)
    await expectNext(id, catalogue, deferral.nextSong)
    return { song, saidAt: deferral.saidAt }
  }
  // Two tabs rate the same song, or one of them a prefetched one.
  const other = chance < 0.36 ? (offered.at(-1) ?? song) : chance < 0.42 ? song : null
  const send = (each: OfferedSong) =>
    rateSong(db, env, id, {
      microgenreId: genre.id,
      songId: each.id,
      rating: random() < 0.4 ? 'banger' : 'bust',
      heard: random() < 0.9 ? { seconds: 9, source: 'video' } : null,
    })
  const [answer, second] = await Promise.all([send(song), other && send(other)])
  for (const each of [song, other]) if (each) pass.done.add(each.id)
  if (second) return null
  await expectNext(id, catalogue, answer.nextSong)
  return { song, ratedAt: answer.ratedAt }
}

/** The response must name the next song. */
async function expectNext(
  id: string,
  { genre }: CatalogueState,
  nextSong: OfferedSong | null,
): Promise<void> {
  const [next] = await listNextSongs(database.db, env, id, genre.id, 1)
  expect(next?.id).toBe(nextSong?.id)
}

async function undo(id: string, { genre, live }: CatalogueState, pass: Pass, last: Undo): Promise<void> {
  const { song } = last
  if ('ratedAt' in last) {
    await removeRating(database.db, id, song.id, { undo: true, ratedAt: last.ratedAt }).catch(() => {})
    pass.done.delete(song.id)
  } else if (last.saidAt) {
    await undoDefer(database.db, id, song.id, last.saidAt)
    if (song.putOff) pass.done.delete(song.id)
    else pass.putOff.delete(song.id)
  }
  if (song.putOff || !live.has(song.id)) return
  const [next] = await listNextSongs(database.db, env, id, genre.id, 1)
  expect(next?.id).toBe(song.id)
}

/** Adds a song, retires one, or lets one return, as the catalogue does. */
async function changeCatalogue(
  { genre, live, retired, returned }: CatalogueState,
  random: () => number,
): Promise<void> {
  const { db } = database
  const chance = random()
  const [returning] = retired
  if (chance < 0.4 && live.size > 1) {
    const song = [...live][Math.floor(random() * live.size)] ?? ''
    await db`update songs set retired_at = now() where id = ${song}`
    await db`update microgenres set live_song_count = live_song_count - 1 where id = ${genre.id}`
    live.delete(song)
    retired.add(song)
    return
  }
  if (chance < 0.7 && returning) {
    await db`
      update songs s set retired_at = null, seq = m.song_count from microgenres m
      where s.id = ${returning} and m.id = s.microgenre_id`
    retired.delete(returning)
    live.add(returning)
    returned.add(returning)
  } else {
    const [row] = await db<{ id: string }[]>`
      insert into songs (key, source, microgenre_id, seq, title, artist)
      select 'late-' || m.id || '-' || m.song_count, 'import', m.id, m.song_count, 'Late', 'Arrival'
      from microgenres m where m.id = ${genre.id} returning id`
    if (row) live.add(row.id)
  }
  await db`
    update microgenres set song_count = song_count + 1, live_song_count = live_song_count + 1 where id = ${genre.id}`
}
