import { beforeEach, describe, expect, test } from 'vitest'
import * as diagnostics from '../../contract/diagnostics.ts'
import { MAX_REPORTS_PER_CALL, type PlaybackOutcome, reportPlayback } from '../../contract/playback.ts'
import { sweepReports } from '../../server/playback/health.ts'
import { makeMicrogenre, nextSong, rate } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import type { Visitor } from '../harness/visitor.ts'
import { startOutside } from '../stand-ins/outside.ts'

const outside = setUpService(startOutside)
const app = setUpApp(() => outside.env)
const ada = setUpListener(app)
beforeEach(async () => {
  outside.reset()
  await app.db`delete from provider_cache`
})

let songNumber = 0
let regulars = 0

/** A listener whose account is some days old, created in an hour of its own. */
async function signInRegular(days = 30) {
  const listener = await app.signIn()
  await app.db`
    update users set created_at = now() - ${days} * interval '1 day' - ${++regulars} * interval '1 hour'
    where id = ${listener.id}`
  return listener
}

/** A microgenre of one song with its own video. */
async function makeSong() {
  const genre = await makeMicrogenre(app.db, 1)
  const videoId = `health${String(++songNumber).padStart(5, '0')}`
  const songId = genre.songs[0] ?? ''
  await app.db`update songs set youtube_id = ${videoId} where id = ${songId}`
  return { genreId: genre.id, songId, videoId }
}

type Made = Awaited<ReturnType<typeof makeSong>>

function report(listener: Visitor, { songId, videoId }: Made, outcome: PlaybackOutcome, previewUsed = false) {
  return listener.call(reportPlayback, { body: { reports: [{ songId, videoId, outcome, previewUsed }] } })
}

async function reportAll(song: Made, ...outcomes: PlaybackOutcome[]) {
  for (const outcome of outcomes) await report(await signInRegular(), song, outcome, outcome !== 'ready')
}

async function isBlocked(song: Made): Promise<boolean | undefined> {
  return (await nextSong(await app.signIn(), song.genreId))?.youtubeBlocked
}

describe('a video', () => {
  test('that failed for several listeners is skipped', async () => {
    const song = await makeSong()
    await reportAll(song, '150', '101')
    expect(await isBlocked(song)).toBe(false)
    await reportAll(song, '100')
    expect(await isBlocked(song)).toBe(true)
  })

  test('is not blocked by one listener, however often it fails', async () => {
    const song = await makeSong()
    const ada = await signInRegular()
    for (let n = 0; n < 6; n++) await report(ada, song, '150', true)
    await ada.call(reportPlayback, {
      body: {
        reports: Array.from({ length: 20 }, () => ({ ...song, outcome: '2' as const, previewUsed: true })),
      },
    })

    expect(await isBlocked(song)).toBe(false)
  })

  test('that plays for most listeners stays, and so does one that fails because of the page', async () => {
    const mixed = await makeSong()
    await reportAll(mixed, 'ready', 'ready', '150', '150', '150')
    expect(await isBlocked(mixed)).toBe(false)

    const page = await makeSong()
    await reportAll(page, '5', '153', '153', 'preview', 'preview', '5')
    expect(await isBlocked(page)).toBe(false)
  })

  test('that played for a listener in the end counts as played', async () => {
    const song = await makeSong()
    const ada = await signInRegular()
    await report(ada, song, '150', true)
    await reportAll(song, '150')
    await report(ada, song, 'ready')
    await reportAll(song, '150')

    expect(await isBlocked(song)).toBe(false)
  })

  test('that is replaced leaves its failures behind', async () => {
    const song = await makeSong()
    await reportAll(song, '150', '150', '150')
    await app.db`update songs set youtube_id = 'another_one' where id = ${song.songId}`
    expect(await isBlocked(song)).toBe(false)
    await reportAll(song, '100')
    await reportAll({ ...song, videoId: 'another_one' }, '100', '100')
    expect(await isBlocked(song)).toBe(false)
    await app.db`update songs set youtube_id = null where id = ${song.songId}`
  })
})

describe('accounts that were made to block videos', () => {
  test('while they are new (playback-23): three of them block none of 101', async () => {
    const songs = await makeSongs(101)
    for (const listener of [await app.signIn(), await app.signIn(), await app.signIn()])
      await reportFaults(listener, songs)

    expect(await countBlocked(songs)).toBe(0)
    // One more report from an old account does not change that.
    await reportFaults(await signInRegular(), songs.slice(0, 5))
    expect(await countBlocked(songs)).toBe(0)
  })

  test('count as one listener when created in the same hour, however old they are', async () => {
    const songs = await makeSongs(3)
    const accounts = await Promise.all(Array.from({ length: 8 }, () => app.signIn()))
    await app.db`
      update users set created_at = '2025-06-01T12:10:00Z'::timestamptz + (id % 40) * interval '1 minute'
      where id = any(${accounts.map(({ id }) => id)}::bigint[])`
    for (const account of accounts) await reportFaults(account, songs)
    expect(await countBlocked(songs)).toBe(0)

    for (const listener of [await signInRegular(), await signInRegular()]) await reportFaults(listener, songs)
    expect(await countBlocked(songs)).toBe(3)
  })

  test('block at most ten videos a day, even old accounts created in different hours', async () => {
    const songs = await makeSongs(45)
    for (const listener of [await signInRegular(), await signInRegular(), await signInRegular()])
      await reportFaults(listener, songs)

    expect(await countBlocked(songs)).toBe(10)
  })
})

test('a dead video is skipped when all accounts are only a few days old', async () => {
  const [song] = await makeSongs(1)
  for (let n = 0; n < 5; n++) await reportFaults(await signInRegular(2), song ? [song] : [])
  expect(await countBlocked(song ? [song] : [])).toBe(0)
  await reportFaults(await signInRegular(2), song ? [song] : [])
  expect(await countBlocked(song ? [song] : [])).toBe(1)
})

test('a video that failed for new listeners is skipped when their accounts are older', async () => {
  const song = await makeSong()
  const people = [await app.signIn(), await app.signIn(), await app.signIn()]
  for (const listener of people) await report(listener, song, '150', true)
  for (const [i, { id }] of people.entries())
    await app.db`update users set created_at = now() - ${20 + i} * interval '1 day' where id = ${id}`
  expect(await isBlocked(song)).toBe(false)
  await report(await app.signIn(), song, '150', true)
  expect(await isBlocked(song)).toBe(true)
})

/** Songs of one microgenre, each with its own video. */
async function makeSongs(count: number) {
  const genre = await makeMicrogenre(app.db, count)
  const from = songNumber
  songNumber += count
  return app.db<{ songId: string; videoId: string }[]>`
    update songs set youtube_id = 'health' || lpad((${from}::int + 1 + seq)::text, 5, '0')
    where microgenre_id = ${genre.id} returning id as song_id, youtube_id as video_id`
}

async function reportFaults(listener: Visitor, songs: { songId: string; videoId: string }[]) {
  for (let i = 0; i < songs.length; i += MAX_REPORTS_PER_CALL) {
    const reports = songs
      .slice(i, i + MAX_REPORTS_PER_CALL)
      .map((song) => ({ ...song, outcome: '150' as const, previewUsed: true }))
    expect((await listener.call(reportPlayback, { body: { reports } })).status).toBe(200)
  }
}

async function countBlocked(songs: { songId: string }[]): Promise<number> {
  const blocked = await app.db`
    select from songs where id = any(${songs.map(({ songId }) => songId)}::bigint[]) and blocked_video_id = youtube_id`
  return blocked.length
}

test('the response to a rating names a blocked video, and so does the library', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  await app.db`
    update songs set youtube_id = 'blocked' || lpad(seq::text, 4, '0'), blocked_video_id = 'blocked' || lpad(seq::text, 4, '0')
    where microgenre_id = ${genre.id}`
  const first = await nextSong(ada, genre.id)
  const { body } = await rate(ada, genre.id, first?.id ?? '')

  expect(body.nextSong).toMatchObject({ youtubeBlocked: true, youtubeId: expect.stringMatching(/^blocked/) })
})

describe('verification', () => {
  test('of a song that can be embedded unblocks it and clears its failures', async () => {
    const song = await makeSong()
    await reportAll(song, '150', '150', '150', 'ready')
    outside.youtube.know(song.videoId, { title: 'Song 0', channel: 'Artist 0' })
    const { status, body } = await ada.call(diagnostics.verifySong, { params: { songId: song.songId } })

    expect({ status, body }).toEqual({ status: 200, body: { embeddable: true, error: null } })
    expect(await isBlocked(song)).toBe(false)
    await reportAll(song, '150', '150')
    expect(await isBlocked(song)).toBe(false)
  })

  test('of one that cannot keeps it blocked, and says why', async () => {
    const song = await makeSong()
    await reportAll(song, '150', '150', '150')
    outside.youtube.know(song.videoId, { title: 'Song 0', channel: 'Artist 0', embeddable: false })

    expect((await ada.call(diagnostics.verifySong, { params: { songId: song.songId } })).body).toEqual({
      embeddable: false,
      error: 'Its owner does not allow it to be embedded.',
    })
    expect(await isBlocked(song)).toBe(true)
  })

  test('in a batch checks only blocked videos again', async () => {
    const song = await makeSong()
    outside.youtube.know(song.videoId, { title: 'Song 0', channel: 'Artist 0' })
    const [row] = await app.db<{ place: number }[]>`
      select count(*)::int as place from songs where id < ${song.songId} and retired_at is null`
    const body = { batchSize: 1, offset: row?.place ?? 0 }
    await ada.call(diagnostics.verifyBatch, { body })
    await reportAll(song, '150', '150', '150')
    expect(await isBlocked(song)).toBe(true)
    const again = await ada.call(diagnostics.verifyBatch, { body })

    expect(again.body.results).toMatchObject([{ songId: song.songId, youtubeAccessible: true }])
    expect(outside.youtube.requests).toEqual([`videos:${song.videoId}`, `videos:${song.videoId}`])
    expect(await isBlocked(song)).toBe(false)
  })

  test.each([
    ['an unknown song', '999999999'],
    ['a song without a video', null],
  ])('of %s is 404', async (_, input) => {
    const songId = input ?? (await makeMicrogenre(app.db, 1)).songs[0] ?? ''
    expect((await ada.call(diagnostics.verifySong, { params: { songId } })).status).toBe(404)
  })
})

test('the list has the worst first, their errors, and how often the preview was used', async () => {
  await app.db`delete from playback_reports`
  await app.db`update songs set blocked_video_id = null where blocked_video_id is not null`
  const [worst, some, fine, other] = [await makeSong(), await makeSong(), await makeSong(), await makeSong()]
  await reportAll(worst, '150', '150', '101', 'ready')
  await reportAll(some, '100', 'ready', 'ready')
  await reportAll(fine, 'ready', 'ready', 'preview')
  await reportAll(other, '153')
  const { body } = await (await app.signIn()).call(diagnostics.listPlaybackHealth)

  expect(body).toEqual([
    {
      songId: worst.songId,
      title: 'Song 0',
      artist: 'Artist 0',
      youtubeId: worst.videoId,
      blocked: true,
      played: 1,
      failed: 3,
      previews: 3,
      errors: { '150': 2, '101': 1 },
      lastReportedAt: expect.stringMatching(/Z$/),
    },
    expect.objectContaining({
      songId: some.songId,
      blocked: false,
      played: 2,
      failed: 1,
      errors: { '100': 1 },
    }),
    expect.objectContaining({ songId: other.songId, blocked: false, failed: 0, errors: { '153': 1 } }),
  ])
})

describe('reports', () => {
  test('without an outcome remove no error', async () => {
    const song = await makeSong()
    const ada = await signInRegular()
    await report(ada, song, '150', true)
    await report(ada, song, 'preview', true)
    await reportAll(song, '150', '150')

    expect(await isBlocked(song)).toBe(true)
  })

  test('are deleted after 30 days', async () => {
    await app.db`delete from playback_reports`
    const [old, recent] = [await makeSong(), await makeSong()]
    for (const [song, days] of [
      [old, 31],
      [recent, 29],
    ] as const) {
      await report(ada, song, '150')
      await app.db`
        update playback_reports set reported_at = now() - ${days} * interval '1 day' where song_id = ${song.songId}`
    }
    await sweepReports(app.db)

    expect(await app.db`select song_id from playback_reports`).toEqual([{ songId: recent.songId }])
  })

  test('of an unknown song are ignored', async () => {
    const { status } = await report(ada, { songId: '999999999', videoId: 'abcdefghijk', genreId: '' }, '150')

    expect(status).toBe(200)
    expect(await app.db`select from playback_reports where user_id = ${ada.id}`).toHaveLength(0)
  })
})
