import { beforeAll, expect, test } from 'vitest'
import { COVERAGE_COLUMNS, coveragePercent, getCoverage, sortByCoverageGap } from '../../contract/coverage.ts'
import { rateAndAdvance } from '../../contract/discovery.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { runCatalogueHere } from '../harness/runCatalogueHere.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { SIZES } from '../harness/testCatalogue.ts'

const app = setUpApp()
const line = setUpService(() => startDatabaseProxy(app.target))

/** Of eight songs, the first, third, fifth and seventh have a video. */
beforeAll(async () => {
  await app.db`
    update songs set recording_mbid = ${`${'1'.repeat(8)}-1111-1111-1111-${'1'.repeat(12)}`}, deezer_track_id = '1'
    where key = 'bossa-nova-000'`
  await app.db`
    update songs set deezer_track_id = '2', spotify_id = ${'1'.repeat(22)} where key = 'bossa-nova-001'`
  await app.db`update songs set blocked_video_id = youtube_id where key = 'bossa-nova-002'`
  await app.db`update songs set blocked_video_id = 'another_one' where key = 'bossa-nova-004'`
  await app.db`update songs set retired_at = now() where key = 'bossa-nova-006'`
  await app.db`
    update microgenres set live_song_count = live_song_count - 1 where key = 'bossa-nova'`
  const ada = await app.signIn()
  const rated = await app.db<{ songId: string; microgenreId: string }[]>`
    select id as song_id, microgenre_id from songs where key in ('bossa-nova-000', 'bossa-nova-001') order by key`
  for (const [n, song] of rated.entries()) {
    const heard = n === 0 ? ({ seconds: 12, source: 'preview' } as const) : null
    await ada.call(rateAndAdvance, { body: { ...song, rating: 'banger', heard } })
  }
  await rollUp(app.db)
})

test('diagnostics-25: counts what is known of the songs that are not retired, and who heard them', async () => {
  const { body } = await (await app.signIn()).call(getCoverage)

  expect(body.microgenres.find(({ microgenre }) => microgenre === 'Bossa Nova')).toEqual({
    microgenre: 'Bossa Nova',
    songs: 7,
    identified: 1,
    withVideo: 2,
    withPreview: 2,
    withSpotify: 1,
    heardByNobody: 6,
  })
  const total = Object.values(SIZES).reduce((sum, size) => sum + size, 0)
  expect(body.all).toMatchObject({ songs: total - 1, identified: 1, heardByNobody: total - 2 })
})

test('diagnostics-25: the program prints the same figures, and still reports errors by its exit code', async () => {
  await app.db`
    insert into microgenres (key, name, family, description, color, energy, vocals, familiarity, mood)
    values ('silence', 'Silence', 'None', 'Nothing.', '#000000', '{}', '{}', '{}', '{}')`
  const { body } = await (await app.signIn()).call(getCoverage)
  const { code, stdout } = await check()
  const lines = stdout.split('\n')
  const start = lines.findIndex((one) => one.startsWith('Microgenre '))
  const table = lines.slice(start, start + body.microgenres.length + 2)

  expect(code).toBe(0)
  expect(table[0]).toMatch(/Songs +Identified +Video +Preview +Spotify id +Heard by nobody$/)
  expect(new Set(table.map(({ length }) => length)).size).toBe(1)
  expect(table[1]).toMatch(/^Silence +0( +0){5}$/)
  expect(table.find((one) => one.startsWith('Bossa Nova'))).toMatch(
    /^Bossa Nova +7 +1 +14% +2 +28% +2 +28% +1 +14% +6 +85%$/,
  )
  expect(table.at(-1)).toMatch(new RegExp(`^All +${body.all.songs} `))

  await app.db`
    update microgenres set live_song_count = 1, song_count = 1 where key = 'silence'`
  expect(await check()).toMatchObject({ code: 1, stdout: expect.stringContaining('Errors found.') })
})

test('diagnostics-25, diagnostics-26: shares are exact at their ends, and the largest gap comes first', () => {
  const full = { songs: 1000, identified: 999, withVideo: 1, withPreview: 1000, withSpotify: 0 }
  const row = { ...full, heardByNobody: 1 }

  expect(COVERAGE_COLUMNS.map(({ of }) => coveragePercent(row, of))).toEqual([99, 1, 100, 0, 1])
  expect(coveragePercent({ ...row, heardByNobody: 0 }, 'heardByNobody')).toBe(0)
  expect(coveragePercent({ ...row, heardByNobody: 999 }, 'heardByNobody')).toBe(99)
  expect(coveragePercent({ ...row, heardByNobody: 1000 }, 'heardByNobody')).toBe(100)
  expect(coveragePercent({ ...row, songs: 0 }, 'withVideo')).toBeNull()

  const of = (microgenre: string, songs: number, withVideo: number, heardByNobody: number) => ({
    ...row,
    microgenre,
    songs,
    withVideo,
    heardByNobody,
  })
  const rows = [of('A', 10, 9, 10), of('B', 10, 1, 0), of('C', 20, 2, 1), of('D', 0, 0, 0)]
  const names = (by: 'withVideo' | 'heardByNobody') =>
    sortByCoverageGap(rows, by).map((one) => one.microgenre)
  expect(names('withVideo')).toEqual(['D', 'C', 'B', 'A'])
  expect(names('heardByNobody')).toEqual(['D', 'A', 'C', 'B'])
})

function check() {
  return runCatalogueHere(['check', '--coverage'], {
    environment: { DATABASE_URL: line.target },
    folder: app.dataDir,
  })
}
