import { expect, test } from 'vitest'
import { SongEntry } from '../../catalogue/catalogue.ts'
import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import { luminanceOf } from '../../tests/pictures.ts'
import { packagePath } from '../packagePath.ts'
import type { Cells, Column } from '../songFiles/columns.ts'
import { deriveColor } from './microgenreNames.ts'
import { deriveKey, namedKey, readSongRow } from './songRow.ts'
import { foldName } from './spelling.ts'

const SPOTIFY = '0123456789ABCDEFGHabcd'
const RECORDING = '8f3471b5-7e6a-48da-86a9-c1c07a0f47ae'
const RELEASE = '18550a84-4ede-451c-a91a-dd9b3af9f71d'
const MB = 'https://musicbrainz.org'
const NO_MBID = 'must be a MusicBrainz id, or its address'
const LENGTH = 'must be seconds, or a length such as 3:45 or 0:03:45; 3:45:00 may be minutes or hours'
const LICENCE =
  'must be the address of a Creative Commons licence, such as https://creativecommons.org/licenses/by-nc-sa/4.0/'
const NO_IDS = { youtubeId: null, spotifyId: null, deezerId: null, recordingMbid: null }
const NAMED = { title: 'Blue Monday', artist: 'New Order' }

test('a complete row', () => {
  const cells = {
    ...NAMED,
    key: 'new-order-blue-monday',
    microgenre: 'synth-pop',
    year: '1983',
    youtube_id: 'c1GxjzHm5us',
    spotify_id: SPOTIFY,
    deezer_id: '12345',
    recording_mbid: RECORDING,
    isrc: 'GBAAP8300001',
    release_mbid: RELEASE,
    duration_ms: '447000',
    album_art: 'https://example.org/blue.jpg',
    audio_url: 'https://archive.org/download/a/b.mp3',
    licence: 'http://creativecommons.org/licenses/BY-NC-SA/2.0/de/deed.de',
    attribution: 'New Order',
    retired: 'false',
  }

  expect(readSongRow(7, cells)).toEqual({
    line: 7,
    key: 'new-order-blue-monday',
    isKeyGiven: true,
    namedKey: null,
    microgenre: 'synth-pop',
    ...NAMED,
    year: 1983,
    youtubeId: 'c1GxjzHm5us',
    spotifyId: SPOTIFY,
    deezerId: '12345',
    recordingMbid: RECORDING,
    isrc: 'GBAAP8300001',
    releaseMbid: RELEASE,
    durationMs: 447000,
    albumArt: 'https://example.org/blue.jpg',
    audio: {
      url: 'https://archive.org/download/a/b.mp3',
      licence: 'https://creativecommons.org/licenses/by-nc-sa/2.0/de/',
      attribution: 'New Order',
    },
    isRetired: false,
  })
})

test.each<[Column, string, string, unknown]>([
  ['title', '  Blue \t Monday\n', 'title', 'Blue Monday'],
  ['title', 'Cafe\u0301', 'title', 'Caf\u00e9'],
  ['artist', '坂本龍一', 'artist', '坂本龍一'],
  ['title', 'Upside \u202EnwoD', 'title', 'Upside nwoD'],
  ['title', '\uFEFFZero\u200BWidth\u00AD', 'title', 'ZeroWidth'],
  ['title', '\u2067شعر \u200E(Live) 1999', 'title', 'شعر (Live) 1999'],
  ['artist', 'می\u200Cخواهم 👩‍🎤', 'artist', 'می\u200Cخواهم 👩‍🎤'],
  ['youtube_id', '\u200Bc1GxjzHm5us', 'youtubeId', 'c1GxjzHm5us'],
  ['year', '1983-03-07', 'year', 1983],
  ['year', '1983-03', 'year', 1983],
  ['year', '1983.0', 'year', 1983],
  ['year', '07.03.1983', 'year', 1983],
  ['year', 'March 7, 1983', 'year', 1983],
  ['year', '0000', 'year', null],
  ['youtube_id', 'https://www.youtube.com/watch?v=c1GxjzHm5us&t=3s', 'youtubeId', 'c1GxjzHm5us'],
  ['youtube_id', 'https://www.youtube.com/watch?list=x&v=c1GxjzHm5us', 'youtubeId', 'c1GxjzHm5us'],
  ['youtube_id', 'https://youtu.be/c1GxjzHm5us?si=x', 'youtubeId', 'c1GxjzHm5us'],
  ['youtube_id', 'https://www.youtube-nocookie.com/embed/c1GxjzHm5us', 'youtubeId', 'c1GxjzHm5us'],
  ['youtube_id', 'https://www.youtube.com/live/c1GxjzHm5us?si=abc', 'youtubeId', 'c1GxjzHm5us'],
  ['youtube_id', 'https://www.youtube.com/shorts/c1GxjzHm5us', 'youtubeId', 'c1GxjzHm5us'],
  ['youtube_id', 'https://www.youtube.com/watch/?v=c1GxjzHm5us', 'youtubeId', 'c1GxjzHm5us'],
  ['youtube_id', 'HTTPS://WWW.YOUTUBE.COM/watch?v=c1GxjzHm5us', 'youtubeId', 'c1GxjzHm5us'],
  ['youtube_id', 'm.youtube.com/watch?app=desktop&v=c1GxjzHm5us', 'youtubeId', 'c1GxjzHm5us'],
  ['youtube_id', 'https://youtu.be/c1GxjzHm5us/', 'youtubeId', 'c1GxjzHm5us'],
  ['spotify_id', 'spotify:track:0123456789ABCDEFGHabcd', 'spotifyId', SPOTIFY],
  ['spotify_id', `https://open.spotify.com/intl-de/track/${SPOTIFY}?si=1`, 'spotifyId', SPOTIFY],
  ['deezer_id', 'https://www.deezer.com/de/track/3135556', 'deezerId', '3135556'],
  ['recording_mbid', `${MB}/recording/${RECORDING.toUpperCase()}?x=1`, 'recordingMbid', RECORDING],
  ['release_mbid', `https://beta.musicbrainz.org/release/${RELEASE}/cover-art`, 'releaseMbid', RELEASE],
  ['isrc', 'gb-aap-83-00001', 'isrc', 'GBAAP8300001'],
  ['isrc', 'ISRC GBAAP8300001', 'isrc', 'GBAAP8300001'],
  ['isrc', 'ISRC12300001', 'isrc', 'ISRC12300001'],
  ['duration', '7:27', 'durationMs', 447_000],
  ['duration', '1:02:03', 'durationMs', 3_723_000],
  ['duration', '447.5', 'durationMs', 447_500],
  ['duration', '00:03:45', 'durationMs', 225_000],
  ['duration', '12:03:45 AM', 'durationMs', 225_000],
  ['duration', '0 days 00:03:45.120000', 'durationMs', 225_120],
  ['duration', '225,5', 'durationMs', 225_500],
  ['duration_ms', '253573.0', 'durationMs', 253_573],
  ['duration_ms', '00:03:45', 'durationMs', 225_000],
  ['deezer_id', '3135556.0', 'deezerId', '3135556'],
  ['retired', '1.0', 'isRetired', true],
  ['retired', 'Yes', 'isRetired', true],
  ['retired', '0', 'isRetired', false],
  ['title', '', 'title', 'Blue Monday'],
])('%s %j becomes %s %j', (column, cell, field, value) => {
  const cells: Cells = { ...NAMED, ...(cell ? { [column]: cell } : {}) }

  expect(readSongRow(1, cells)).toMatchObject({ [field]: value })
})

test.each<[Column, string, unknown]>([
  ['title', 'x'.repeat(201), 'is longer than 200 characters'],
  ['artist', 'New\u0000Order', 'has control characters'],
  ['title', 'Blue \u0085 Monday', 'has control characters'],
  ['title', 'Blue \ud800 Monday', expect.stringContaining('is not valid UTF-8')],
  ['artist', 'Bj\uFFFDrk', expect.stringContaining('is not valid UTF-8')],
  ['microgenre', 'x'.repeat(61), 'is longer than 60 characters'],
  ['key', 'Blue Monday', 'must be lower-case words joined by hyphens'],
  ['year', 'soon', 'must be a whole number or empty'],
  ['youtube_id', 'c1GxjzHm5u', 'must be a YouTube id of 11 characters, or empty'],
  ['youtube_id', 'https://vimeo.com/1234', 'must be a YouTube id of 11 characters, or empty'],
  ['spotify_id', '123', 'must be a Spotify id of 22 characters, or empty'],
  ['deezer_id', 'x', 'must be the number of a Deezer track'],
  ['recording_mbid', '8f3471b5', NO_MBID],
  ['recording_mbid', `${MB}/release/${RELEASE}`, NO_MBID],
  ['isrc', 'GBAAP830000', 'must be an ISRC, such as GBAYE6900001'],
  ['duration', 'long', LENGTH],
  // Of 3:45, of 3.45 minutes, of thousands, of milliseconds.
  ['duration', '03:45:00', LENGTH],
  ['duration', '3.45', LENGTH],
  ['duration', '1,225', LENGTH],
  ['duration', '225000', LENGTH],
  ['duration', '3:75', LENGTH],
  ['deezer_id', '135.000', 'must be the number of a Deezer track'],
  ['spotify_id', 'spotify:episode:0123456789ABCDEFGHabcd', 'must be a Spotify id of 22 characters, or empty'],
  ['album_art', 'javascript:alert(1)', 'must be an http or https address'],
  ['licence', 'http://creativecommons.org/licenses/sampling+/1.0/', LICENCE],
  ['licence', 'https://creativecommons.org/licenses/by/4.0/?x', LICENCE],
  ['licence', 'https://creativecommons.org.evil.example/licenses/by/4.0/', LICENCE],
  ['licence', 'All rights reserved', LICENCE],
  ['retired', 'maybe', 'must be true or false'],
])('%s %j is rejected: %s', (column, cell, reason) => {
  expect(readSongRow(9, { ...NAMED, [column]: cell })).toMatchObject({ line: 9, field: column, reason })
})

test.each<[Column, string]>([
  ['year', '1066'],
  ['year', '3000'],
  ['duration_ms', '5'],
  ['duration', '999999'],
])('%s %s is impossible, and rejected', (column, cell) => {
  expect(readSongRow(1, { ...NAMED, [column]: cell })).toMatchObject({ field: column })
})

test.each<[Cells, object]>([
  [{ youtube_id: 'c1GxjzHm5us' }, { title: null, artist: null }],
  [{ recording_mbid: RECORDING }, { recordingMbid: RECORDING }],
  [{ key: 'blue-monday' }, { key: 'blue-monday' }],
  // Several recordings may have one ISRC.
  [{ isrc: 'GBAAP8300001' }, { field: 'title', reason: 'is missing' }],
  [{ title: 'Blue Monday' }, { field: 'artist', reason: 'is missing' }],
  [
    { title: '\u200B', artist: 'Blank Band' },
    { field: 'title', reason: 'is missing' },
  ],
  [
    { title: 'Blue Monday', artist: '\u2800 \u3164' },
    { field: 'artist', reason: 'is missing' },
  ],
  [
    { artist: 'New Order', year: '1983' },
    { field: 'title', reason: 'is missing' },
  ],
])('a song is identified by an id, else by title and artist: %j', (cells, row) => {
  expect(readSongRow(1, cells)).toMatchObject(row)
})

test.each<[Cells, object]>([
  [NAMED, NAMED],
  [{}, { title: 'A Local & Song', artist: 'Some/Band' }],
])("the listener's own file at Spotify is a song without an id: %j", (cells, names) => {
  const spotify_id = 'spotify:local:Some%2FBand:Some+Album:A+Local+%26+Song:200'

  expect(readSongRow(1, { ...cells, spotify_id })).toMatchObject({
    ...names,
    spotifyId: null,
    durationMs: 200_000,
  })
})

test('a derived key is stable: the texts may change when there is an id, the spelling when there is none', () => {
  const song = { ...NAMED, ...NO_IDS, microgenre: 'synth pop' }
  const hash = (key: string) => key.slice(-16)

  expect(deriveKey(song)).toMatch(/^new-order-blue-monday-[0-9a-f]{16}$/)
  expect(deriveKey({ ...song, microgenre: 'Synth-Pop', title: 'BLUE  MONDAY!' })).toBe(deriveKey(song))
  expect(deriveKey({ ...song, microgenre: 'ebm' })).not.toBe(deriveKey(song))
  const withVideo = { ...song, youtubeId: 'c1GxjzHm5us' }
  expect(hash(deriveKey({ ...withVideo, title: 'Blue Monday 88', microgenre: 'ebm' }))).toBe(
    hash(deriveKey(withVideo)),
  )
  expect(hash(deriveKey({ ...withVideo, youtubeId: 'C1GxjzHm5us' }))).not.toBe(hash(deriveKey(withVideo)))
  // A recording that is found later changes no key.
  expect(deriveKey({ ...withVideo, recordingMbid: RECORDING })).toBe(deriveKey(withVideo))
  expect(deriveKey({ ...song, recordingMbid: RECORDING })).not.toBe(deriveKey(song))
})

test('every derived key is a valid key', () => {
  for (const words of ['', '坂本龍一', 'x'.repeat(200), '- - -', 'Ünïcödé', `${'ab '.repeat(60)}`]) {
    const key = deriveKey({ ...NO_IDS, title: words, artist: words, microgenre: null })
    expect(SongEntry.shape.key.safeParse(key).success).toBe(true)
  }
})

test.each(['deed', 'deed.pt_BR', 'legalcode', ''])('a licence may be given as its page: %s', (page) => {
  const audio = { audio_url: 'https://archive.org/download/a/b.mp3', attribution: 'Ann' }
  const address = 'https://creativecommons.org/licenses/by/4.0/'
  expect(readSongRow(1, { ...NAMED, ...audio, licence: address + page })).toMatchObject({
    audio: { licence: address },
  })
})

test('a recording without its licence, and a licence without a recording, are rejected', () => {
  const audio = { audio_url: 'https://archive.org/download/a/b.mp3', attribution: 'Ann' }
  expect(readSongRow(1, { ...NAMED, ...audio })).toMatchObject({ field: 'licence', reason: 'is missing' })
  const licence = 'https://creativecommons.org/publicdomain/zero/1.0/'
  expect(readSongRow(1, { ...NAMED, licence })).toMatchObject({ field: 'audio_url', reason: 'is missing' })
})

test.each<[Cells, string]>([
  [{ year: '3000' }, 'must be at most 2100'],
  [{ duration_ms: '999' }, 'must be at least 1000'],
  [{ duration_ms: '90000000' }, 'must be at most 86400000'],
  [{ key: 'x'.repeat(81) }, 'must have at most 80 characters'],
  [{ album_art: `https://a.example/${'x'.repeat(500)}` }, 'must have at most 500 characters'],
])('%j is refused in words', (cells, reason) => {
  expect(readSongRow(1, cells)).toMatchObject({ reason })
})

test('songs of the starter catalogue are found by artist and title', () => {
  const { songs } = readCatalogue(packagePath('catalogue'))
  const found = songs.filter((song) => namedKey(song) === song.key)

  expect(found.length / songs.length).toBeGreaterThan(0.95)
})

test('names match regardless of case, punctuation and alphabet', () => {
  expect(foldName('Dub Techno')).toBe(foldName('dub-techno'))
  expect(foldName('Drum & Bass')).toBe(foldName('drum and bass'))
  expect(foldName('Smørrebrød')).toBe('smorrebrod')
  expect(foldName('シティ・ポップ')).toBe(foldName(' シティ・ポップ'))
  expect(foldName('シティ')).not.toBe(foldName('ポップ'))
})

test('a derived colour has enough contrast on both backgrounds, and is unique', () => {
  const taken = new Set<string>()
  for (let i = 0; i < 300; i++) {
    const color = deriveColor(`genre ${i}`, taken)
    expect(taken.has(color)).toBe(false)
    taken.add(color)
    const luminance = luminanceOf(color)
    // The backgrounds of web/ui/tokens.css: dark about 0.009, light about 0.9.
    expect((luminance + 0.05) / (0.009 + 0.05)).toBeGreaterThan(3)
    expect((0.9 + 0.05) / (luminance + 0.05)).toBeGreaterThan(3)
  }
  expect(deriveColor('phonk', new Set())).toBe(deriveColor('phonk', new Set()))
})
