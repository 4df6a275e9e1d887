import { expect, test } from 'vitest'
import type { VideoSource } from '../../../contract/desk.ts'
import type { VideoFacts } from '../../integrations/video.ts'
import { videoIdOf } from './assignVideo.ts'
import { judgeVideo } from './judgeVideo.ts'

/* catalogue-7: which videos are a song's. */

const SONG = { artist: 'Slowdive', title: 'Alison', durationMs: 231_000 }
const FULL = { embeddable: true, exists: true, isRegional: false, problem: null }

test.each<[string, string]>([
  ['Slowdive - Alison', 'anyone'],
  ['Slowdive - Alison (Official Video)', 'anyone'],
  ['SLOWDIVE – “Alison” [HQ]', 'anyone'],
  ['Alison', 'Slowdive - Topic'],
  ['Alison', 'SlowdiveVEVO'],
  ['Alison by Slowdive', 'anyone'],
  ['Slowdive Alison 1993 HD', 'anyone'],
  // On the artist's own channel the album may be named too.
  ['Slowdive - Alison (Souvlaki)', 'Slowdive'],
])('%s of %s is the song, if the length agrees', (title, channel) => {
  expect(judge('youtube', { title, channel })).toMatchObject({ refusal: null })
})

test.each<[NonNullable<ReturnType<typeof judgeVideo>['refusal']>, string, string]>([
  ['other song', 'Slowdive - Sugar for the Pill', 'Slowdive'],
  ['other song', 'Alison', 'Elvis Costello'],
  ['other version', 'Slowdive - Alison (Live at KEXP)', 'Slowdive'],
  ['other version', 'Slowdive - Alison (acoustic cover)', 'Ben'],
  ['other version', 'Slowdive - Alison (Karaoke Version)', 'Sing King'],
  ['other version', 'Slowdive - Alison', 'Karaoke Hits'],
  ['other version', 'Slowdive - Alison - Guitar Lesson', 'Ben'],
  ['other version', 'Slowdive - Alison (slowed + reverb)', 'Ben'],
  // Of a title track the whole album has the same names.
  ['other version', 'Slowdive - Alison [Full Album]', 'Slowdive'],
  ['other version', 'Slowdive - Alison (1993) FULL E.P.', 'Ben'],
  // Longer titles, and others who are named.
  ['weak', 'Slowdive - Alison Halo', 'Slowdive'],
  ['weak', 'Slowdive - Alison in Wonderland', 'anyone'],
  ['weak', 'Ben - Alison (Slowdive)', 'Ben'],
  ['weak', 'Slowdive - Alison (Souvlaki)', 'anyone'],
])('%s: %s of %s', (refusal, title, channel) => {
  expect(judge('youtube', { title, channel })).toMatchObject({ refusal })
})

test("what the song's own names contain is no other version, and no decoration", () => {
  const live = { artist: 'Live', title: 'Lightning Crashes', durationMs: 231_000 }
  expect(judge('youtube', { title: 'Live - Lightning Crashes (Official Music Video)' }, live)).toMatchObject({
    refusal: null,
  })
  const games = { artist: 'Lana Del Rey', title: 'Video Games', durationMs: 231_000 }
  expect(judge('youtube', { title: 'Lana Del Rey - Video Games' }, games)).toMatchObject({ refusal: null })
  expect(
    judge('youtube', { title: 'Lana Del Rey - Mind Games (Official Video)' }, games).refusal,
  ).not.toBeNull()
  const self = { artist: 'Black Sabbath', title: 'Black Sabbath', durationMs: 231_000 }
  expect(judge('youtube', { title: 'Black Sabbath - Black Sabbath' }, self)).toMatchObject({ refusal: null })
  const guests = { artist: 'Ann', title: 'Song (feat. Ben)', durationMs: 231_000 }
  expect(
    judge('youtube', { title: 'Ann - Song ft. Ben (Official Video)', channel: 'Ann' }, guests),
  ).toMatchObject({ refusal: null })
})

test.each<[VideoSource, string, number, string | null]>([
  ['youtube', 'Slowdive - Alison', 241_000, null],
  ['youtube', 'Slowdive - Alison', 242_000, 'length differs'],
  ['youtube', 'Slowdive - Alison', 226_000, null],
  ['youtube', 'Slowdive - Alison', 225_000, 'length differs'],
  // A music video has an opening and credits.
  ['youtube', 'Slowdive - Alison (Official Video)', 291_000, null],
  ['musicbrainz', 'Slowdive - Alison', 291_000, null],
  ['wikidata', 'Slowdive - Alison', 292_000, 'length differs'],
  ['musicbrainz', 'Slowdive - Alison', 225_000, 'length differs'],
])('by %s, %s of %d ms: %s', (source, title, durationMs, refusal) => {
  expect(judge(source, { title, durationMs })).toMatchObject({ refusal })
})

test('without a length MusicBrainz, Wikidata and the own channel are proof, and a search result is not', () => {
  const title = 'Slowdive - Alison'
  expect(judge('musicbrainz', { title, durationMs: null })).toMatchObject({ refusal: null, score: 90 })
  expect(judge('wikidata', { title, durationMs: null })).toMatchObject({ refusal: null, score: 90 })
  expect(judge('youtube', { title, channel: 'Slowdive - Topic', durationMs: null })).toMatchObject({
    refusal: null,
  })
  expect(judge('youtube', { title, durationMs: null })).toMatchObject({ refusal: 'weak', score: 70 })
  // But no source vouches for another version or another title.
  expect(judge('musicbrainz', { title: `${title} (Live)` })).toMatchObject({ refusal: 'other version' })
  expect(judge('wikidata', { title: 'Slowdive - Alison in Wonderland' })).toMatchObject({ refusal: 'weak' })
})

test('catalogue-21: a video at Discogs needs the length or the own channel, and the record comes before clips', () => {
  const title = 'Slowdive - Alison'
  expect(judge('discogs', { title })).toMatchObject({ refusal: null, score: 100 })
  expect(judge('discogs', { title, durationMs: 234_000 })).toMatchObject({ score: 100 })
  expect(judge('discogs', { title, durationMs: 235_000 })).toMatchObject({ refusal: null, score: 95 })
  expect(judge('discogs', { title, durationMs: 242_000 })).toMatchObject({ refusal: 'length differs' })
  expect(judge('discogs', { title: `${title} (Official Audio)`, durationMs: 235_000 }).score).toBe(100)
  expect(judge('discogs', { title: 'Alison', channel: 'Slowdive - Topic', durationMs: 235_000 }).score).toBe(
    100,
  )
  expect(judge('discogs', { title: `${title} (Official Video)`, durationMs: 285_000 })).toMatchObject({
    refusal: null,
    score: 95,
  })
  expect(judge('discogs', { title, durationMs: null })).toMatchObject({ refusal: 'weak' })
})

test('a video that does not play everywhere is refused', () => {
  expect(judge('musicbrainz', { embeddable: false, problem: 'No.' })).toMatchObject({
    refusal: 'unplayable',
    detail: 'No.',
  })
  expect(judge('musicbrainz', { isRegional: true })).toMatchObject({ refusal: 'regional' })
  expect(judge('musicbrainz', { title: null, embeddable: false, problem: 'Gone.' })).toEqual({
    score: 0,
    refusal: 'unplayable',
    detail: 'Gone.',
  })
})

test.each<[string, string | null]>([
  ['https://www.youtube.com/watch?v=abcdefghijk', 'abcdefghijk'],
  ['https://music.youtube.com/watch?v=abcdefghijk&list=x', 'abcdefghijk'],
  ['https://youtu.be/abcdefghijk?t=1', 'abcdefghijk'],
  ['https://www.youtube.com/shorts/abcdefghijk', 'abcdefghijk'],
  ['abcdefghijk', 'abcdefghijk'],
  ['https://www.youtube.com/playlist?list=abcdefghijk', null],
  ['https://www.youtube.com/@slowdive', null],
  ['https://youtube.com.example.org/watch?v=abcdefghijk', null],
  ['https://open.spotify.com/track/abcdefghijk', null],
  ['javascript:abcdefghijk', null],
])('the video of %s is %s', (address, id) => {
  expect(videoIdOf(address)).toEqual(id === null ? [] : [id])
})

function judge(source: VideoSource, its: Partial<VideoFacts>, song = SONG) {
  return judgeVideo(song, source, {
    ...FULL,
    title: 'Slowdive - Alison',
    channel: 'anyone',
    durationMs: 231_000,
    ...its,
  })
}
