import { expect, test } from 'vitest'
import type { Recording, Release } from '../../integrations/musicbrainz.ts'
import { chooseRecording, chooseRelease, isCertain, type SongFacts } from './chooseRecording.ts'

/* catalogue-3: which of the recordings that MusicBrainz finds a song is, and when that stays open. */

const SONG: SongFacts = { artist: 'Ann', title: 'Song', year: 1973, durationMs: 200_000, isrc: null }
const ANOTHER = { mbid: 'another-ann', aliases: [] }
const UNTIMED = { ...SONG, durationMs: null }

test('one recording with the same artist, title and length', () => {
  expect(choose(SONG, recording('a'))).toBe('a')
  expect(choose(SONG, recording('a', { lengthMs: 203_900 }))).toBe('a')
  // Where a length is unknown, artist and title decide, unless the year speaks against it.
  expect(choose(UNTIMED, recording('a'))).toBe('a')
  expect(choose(SONG, recording('a', { lengthMs: null }))).toBe('a')
  // Where the length agrees, the record may be a later one.
  expect(choose(SONG, recording('a', { firstReleased: '1977' }))).toBe('a')
})

test.each<[string, SongFacts, Recording[]]>([
  ['not found', SONG, []],
  ['not found', SONG, [recording('a', { title: 'Song (Live)' }), recording('b', { artist: 'Ben' })]],
  ['not found', SONG, [recording('a', { isVideo: true })]],
  ['not found', SONG, [recording('a', { releases: [release({ secondaryTypes: ['Live'] })] })]],
  ['length differs', SONG, [recording('a', { lengthMs: 204_100 })]],
  ['year differs', UNTIMED, [recording('a', { firstReleased: '1995-01-01' })]],
  ['year differs', UNTIMED, [recording('a', { firstReleased: '1975' })]],
  // Recorded again, as long as the song is said to be.
  ['year differs', SONG, [recording('a', { lengthMs: 150_000 }), recording('b', { firstReleased: '1995' })]],
  // Two takes of one artist, and nothing that tells which.
  ['ambiguous', { ...UNTIMED, year: null }, [recording('a'), recording('b', { lengthMs: 260_000 })]],
  // Two artists of one name.
  ['ambiguous', UNTIMED, [recording('a'), recording('b', { leadArtist: ANOTHER })]],
  [
    'ambiguous',
    { ...SONG, year: null },
    [recording('a'), recording('b', { leadArtist: ANOTHER, lengthMs: 1 })],
  ],
  ['ambiguous', SONG, [recording('a'), recording('b', { leadArtist: ANOTHER })]],
  // Two recordings on equally early records.
  ['ambiguous', SONG, [recording('a'), recording('b', { lengthMs: 201_000 })]],
  // A subtitle without the proof of the length.
  ['ambiguous', UNTIMED, [recording('a', { title: 'Song (Of Mine)' })]],
])('%s', (reason, song, found) => {
  expect(chooseRecording(song, found)).toMatchObject({ reason })
})

test('the earliest official release of the artist decides between masterings of one take', () => {
  const later = recording('b', { lengthMs: 201_000, releases: [release({ date: '1990' })] })
  const promotional = recording('c', { releases: [release({ date: '1970', isOfficial: false })] })
  const sampler = recording('d', { releases: [release({ date: '1971', isVarious: true })] })

  expect(choose(SONG, later, recording('a'), promotional, sampler)).toBe('a')
})

test("length and year tell a namesake's recording apart", () => {
  const other = recording('b', { leadArtist: ANOTHER, lengthMs: 250_000, firstReleased: '2001' })

  expect(choose(SONG, other, recording('a'))).toBe('a')
})

test('a subtitle is no hindrance when the length agrees, and gives way to the title itself', () => {
  const withSubtitle = recording('a', { title: 'Song (Of Mine)' })

  expect(choose(SONG, withSubtitle)).toBe('a')
  expect(choose(SONG, withSubtitle, recording('b'))).toBe('b')
})

test("a song's own ISRC decides between recordings that agree", () => {
  const song = { ...SONG, isrc: 'GBAAP7300001' }
  const coded = recording('b', { leadArtist: ANOTHER, isrcs: ['GBAAP7300001'] })

  expect(choose(song, recording('a'), coded)).toBe('b')
  // But not against the length.
  expect(choose(song, recording('a'), { ...coded, lengthMs: 300_000, firstReleased: '2001' })).toBe('a')
})

test('a live song is found on live records', () => {
  const live = { ...SONG, title: 'Song (Live)' }
  const take = recording('a', { title: 'Song (Live)', releases: [release({ secondaryTypes: ['Live'] })] })

  expect(choose(live, take, recording('b'))).toBe('a')
})

test('without a search, only length and year, or the ISRC, leave no doubt', () => {
  expect(isCertain(SONG, recording('a'))).toBe(true)
  expect(isCertain(UNTIMED, recording('a'))).toBe(false)
  expect(isCertain({ ...SONG, year: null }, recording('a'))).toBe(false)
  expect(isCertain(SONG, recording('a', { disambiguation: 'live' }))).toBe(false)
  const coded = { ...SONG, year: null, isrc: 'GBAAP7300001' }
  expect(isCertain(coded, recording('a', { isrcs: ['GBAAP7300001'] }))).toBe(true)
})

test('the cover is that of the first official record of the artist, rather no compilation', () => {
  const first = release({ date: '1973-05' })
  const releases = [
    release({ date: '1980', secondaryTypes: ['Compilation'] }),
    release({ date: '1974' }),
    first,
    release({ date: '1960', isOfficial: false }),
    release({ date: '1961', isVarious: true }),
  ]

  expect(chooseRelease(recording('a', { releases }))).toBe(first)
  expect(chooseRelease(recording('a', { releases: releases.slice(4) }))).toBe(releases[4])
  expect(chooseRelease(recording('a', { releases: [] }))).toBeNull()
})

function choose(song: SongFacts, ...found: Recording[]): string {
  const choice = chooseRecording(song, found)
  return 'recording' in choice ? choice.recording.mbid : choice.reason
}

function recording(mbid: string, its: Partial<Recording> = {}): Recording {
  return {
    mbid,
    title: 'Song',
    disambiguation: '',
    artist: 'Ann',
    leadArtist: { mbid: 'ann', aliases: [] },
    lengthMs: 200_000,
    isVideo: false,
    isrcs: [],
    firstReleased: '1973-03-01',
    releases: [release({ date: '1973-03-01' })],
    tags: [],
    strongestTags: [],
    ...its,
  }
}

function release(its: Partial<Release>): Release {
  return {
    mbid: 'release',
    groupMbid: null,
    isOfficial: true,
    isVarious: false,
    date: null,
    primaryType: 'Album',
    secondaryTypes: [],
    ...its,
  }
}
