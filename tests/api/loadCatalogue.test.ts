import { beforeEach, expect, test } from 'vitest'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { loadCatalogue } from '../../server/catalogue/loadCatalogue.ts'
import { FUNCTIONS } from '../../server/db/functions.ts'
import { packagePath } from '../../server/packagePath.ts'
import { findMicrogenre, nextSong, rate, rateOn } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { createTestDatabase, exceptOnCluster, expectRecount } from '../harness/setUpDatabase.ts'
import { testCatalogue, testSong } from '../harness/testCatalogue.ts'

const app = setUpApp()
const NO_CHANGES = { added: 0, changed: 0, retired: 0 }

beforeEach(async () => {
  await loadCatalogue(app.db, testCatalogue())
})

test('a catalogue that is older or the same as the loaded one is not loaded', async () => {
  const of = (number: number, sha256: string, songs: number) =>
    changedCatalogue((catalogue) => {
      catalogue.version = { number, sha256 }
      catalogue.songs.splice(0, songs)
    })
  expect(await loadCatalogue(app.db, of(2, 'b', 0))).toEqual(NO_CHANGES)
  const before = await rows()

  expect(await loadCatalogue(app.db, of(1, 'a', 3))).toEqual(NO_CHANGES)
  expect(await loadCatalogue(app.db, of(2, 'b', 3))).toEqual(NO_CHANGES)
  expect(await rows()).toEqual(before)
  expect(await loadCatalogue(app.db, of(2, 'changed', 3))).toMatchObject({ retired: 3 })
  expect(await loadCatalogue(app.db, of(3, 'c', 2))).toMatchObject({ retired: 0 })
})

test('catalogue-20: further videos wait in their order, and those that left the catalogue do not', async () => {
  const load = (...videos: string[]) =>
    loadCatalogue(
      app.db,
      changedCatalogue(({ songs }) => {
        for (const song of songs) if (song.key === 'zydeco-000') song.other_youtube_ids = videos
      }),
    )
  const waiting = () =>
    app.db<{ videoId: string; source: string }[]>`
      select video_id, source from video_candidates where refusal = 'not needed' order by score desc`
  await load('second_____', 'third______')
  expect(await waiting()).toEqual([
    { videoId: 'second_____', source: 'catalogue' },
    { videoId: 'third______', source: 'catalogue' },
  ])
  await load('third______', 'second_____')
  expect((await waiting()).map(({ videoId }) => videoId)).toEqual(['third______', 'second_____'])
  // The catalogue vouches for a doubtful one, but not for one that a steward rejected or that is dead.
  const refuse = (refusal: string) => app.db`update video_candidates set refusal = ${refusal}`
  await refuse('weak')
  await load('second_____', 'third______')
  expect((await waiting()).map(({ videoId }) => videoId)).toEqual(['second_____', 'third______'])
  for (const refusal of ['rejected', 'gone', 'unplayable']) {
    await refuse(refusal)
    await load('third______', 'second_____')
    expect(await waiting()).toEqual([])
  }
  await refuse('not needed')
  await load('third______')
  expect(await waiting()).toEqual([{ videoId: 'third______', source: 'catalogue' }])
  await load()
  expect(await waiting()).toEqual([])
})

test('concurrent loads run one after the other', async () => {
  const more = changedCatalogue((catalogue) => catalogue.songs.push(testSong('zydeco', 70)))
  const reports = await Promise.all([
    loadCatalogue(app.db, more),
    loadCatalogue(app.db, more),
    loadCatalogue(app.db, more),
  ])

  expect(reports.map(({ added }) => added).sort()).toEqual([0, 0, 1])
})

test('a song missing from the catalogue is retired: it keeps its ratings and does not play', async () => {
  const ada = await app.signIn()
  const genre = await findMicrogenre(app.db, 'dub-techno')
  await rateOn(ada, genre.id, { most: 5 })
  const library = (await ada.call(listRatings)).body
  const without = changedCatalogue((catalogue) => {
    catalogue.songs = catalogue.songs.filter(
      ({ key }) => key !== 'dub-techno-000' && key !== 'dub-techno-001',
    )
  })

  expect(await loadCatalogue(app.db, without)).toEqual({ ...NO_CHANGES, retired: 2 })
  expect((await ada.call(listRatings)).body).toEqual(library)
  expect(await countsOf('dub-techno')).toMatchObject({ songCount: 3 })
  expect(await rateOn(await app.signIn(), genre.id)).toHaveLength(3)
  await expectRecount(app.db)
})

test('a song that returns plays again, with its ratings and a new place', async () => {
  const ada = await app.signIn()
  const genre = await findMicrogenre(app.db, 'dungeon-synth')
  await rateOn(ada, genre.id)
  const library = (await ada.call(listRatings)).body
  await loadCatalogue(
    app.db,
    changedCatalogue((catalogue) => catalogue.songs.splice(0, catalogue.songs.length - 1)),
  )
  expect(await loadCatalogue(app.db, testCatalogue())).toMatchObject({ added: 0, retired: 0 })

  expect((await ada.call(listRatings)).body).toEqual(library)
  expect(await countsOf('dungeon-synth')).toMatchObject({ songCount: 6 })
  expect(await rateOn(await app.signIn(), genre.id)).toHaveLength(6)
  expect(await loadCatalogue(app.db, testCatalogue())).toEqual(NO_CHANGES)
  await expectRecount(app.db)
})

test('changed texts of songs and microgenres are loaded under the same ids', async () => {
  const before = await findMicrogenre(app.db, 'footwork')
  const other = changedCatalogue((catalogue) => {
    for (const song of catalogue.songs)
      if (song.key === 'footwork-003') Object.assign(song, { title: 'Renamed', year: null })
    for (const genre of catalogue.microgenres)
      if (genre.key === 'footwork') Object.assign(genre, { name: 'Juke', color: '#abcdef' })
  })

  expect(await loadCatalogue(app.db, other)).toEqual({ ...NO_CHANGES, changed: 2 })
  expect({ ...(await findMicrogenre(app.db, 'footwork')), name: '' }).toEqual({ ...before, name: '' })
  const [row] = await app.db`select title, year from songs where key = 'footwork-003'`
  expect({ ...row }).toEqual({ title: 'Renamed', year: null })
})

test('songs may swap their video ids', async () => {
  const swapped = changedCatalogue((catalogue) => {
    const [one, two] = catalogue.songs.filter(({ youtube_id }) => youtube_id)
    if (one && two) [one.youtube_id, two.youtube_id] = [two.youtube_id, one.youtube_id]
  })

  expect(await loadCatalogue(app.db, swapped)).toMatchObject({ changed: 2 })
  expect(await loadCatalogue(app.db, swapped)).toEqual(NO_CHANGES)
})

test('preview data from Deezer is kept', async () => {
  await app.db`update songs set deezer_track_id = '7', preview_url = 'https://x/7', album_art = 'https://x/7.jpg' where key = 'zydeco-001'`
  await loadCatalogue(
    app.db,
    changedCatalogue((catalogue) => {
      for (const song of catalogue.songs) if (song.key === 'zydeco-001') song.title = 'Renamed'
    }),
  )
  const [row] =
    await app.db`select title, deezer_track_id, preview_url, album_art from songs where key = 'zydeco-001'`

  expect({ ...row }).toEqual({
    title: 'Renamed',
    deezerTrackId: '7',
    previewUrl: 'https://x/7',
    albumArt: 'https://x/7.jpg',
  })
})

test('a song moved to another microgenre is rejected, and nothing is loaded', async () => {
  const before = await rows()
  const moved = changedCatalogue((catalogue) => {
    catalogue.songs.push(testSong('zydeco', 71))
    for (const song of catalogue.songs) if (song.key === 'zydeco-001') song.microgenre = 'footwork'
  })

  await expect(loadCatalogue(app.db, moved)).rejects.toThrow(
    "The song 'zydeco-001' moved from zydeco to footwork. A song's microgenre cannot change, because ratings refer to it. Give the song a new key.",
  )
  expect(await rows()).toEqual(before)
})

exceptOnCluster('it waits on a worker, where this test does not look')(
  'a song added at the moment a pass ends comes in that pass',
  async () => {
    const ada = await app.signIn()
    const genre = await findMicrogenre(app.db, 'bossa-nova')
    await rateOn(ada, genre.id, { most: 7 })
    const last = await nextSong(ada, genre.id)
    const undo = await pauseAfterSongLookup()
    const rated = rate(ada, genre.id, last?.id ?? '')
    await waitForPause(rated)
    await loadCatalogue(
      app.db,
      changedCatalogue((catalogue) => catalogue.songs.push(testSong('bossa-nova', 80))),
    )

    // The answer was found before the song was there.
    expect((await rated).body).toMatchObject({ completed: true })
    await undo()
    expect(await nextSong(ada, genre.id)).toMatchObject({ title: 'Bossa Nova 080' })
    await expectRecount(app.db)
  },
)

test('the starter catalogue loads completely, and a second load changes nothing', async () => {
  const starter = readCatalogue(packagePath('catalogue'))
  const fresh = await createTestDatabase()
  try {
    await loadCatalogue(fresh.db, starter)
    const [row] = await fresh.db<
      { live: number }[]
    >`select count(*)::int as live from songs where retired_at is null`
    expect(row?.live).toBe(starter.songs.length)
    expect(await loadCatalogue(fresh.db, starter)).toEqual(NO_CHANGES)
  } finally {
    await fresh.drop()
  }
})

function changedCatalogue(change: (catalogue: Catalogue) => void): Catalogue {
  const catalogue = testCatalogue()
  change(catalogue)
  return catalogue
}

/** Makes the database pause after it found no more songs and before it stores that. */
async function pauseAfterSongLookup(): Promise<() => Promise<void>> {
  const args = 'bigint, bigint, integer, integer, integer, integer'
  const lingering = `${FUNCTIONS.schema}.unrated_songs(${args})`
  await app.db.unsafe(`
    alter function ${lingering} rename to unrated_songs_at_once;
    create function ${lingering} returns table (place integer, song_id bigint, put_off boolean)
    language plpgsql as $$
    begin
      return query select * from ${FUNCTIONS.schema}.unrated_songs_at_once($1, $2, $3, $4, $5, $6);
      perform pg_sleep(0.6);
    end $$`)
  return async () => {
    await app.db.unsafe(`
      drop function ${lingering};
      alter function ${FUNCTIONS.schema}.unrated_songs_at_once(${args}) rename to unrated_songs`)
  }
}

/** Waits until a call is in that pause, or done. */
async function waitForPause(call: Promise<unknown>): Promise<void> {
  let over = false
  void call.finally(() => {
    over = true
  })
  const lingers = () =>
    app.db`select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
  while (!over && (await lingers()).length === 0);
}

async function rows() {
  return {
    microgenres: await app.db`select * from microgenres order by id`.values(),
    songs: await app.db`select * from songs order by id`.values(),
  }
}

async function countsOf(key: string) {
  const ada = await app.signIn()
  const { id } = await findMicrogenre(app.db, key)
  return (await ada.call(listMicrogenres)).body.find((genre) => genre.id === id)
}
