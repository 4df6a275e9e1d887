import { expect, test } from 'vitest'
import { parseSongAddress } from './songAddress.ts'

const VIDEO = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const TRACK = 'https://open.spotify.com/track/0123456789ABCDEFGHabcd'
const RECORDING = '8f3471b5-7e6a-48da-86a9-c1c07a0f47ae'

test.each([
  [VIDEO, 'youtube', VIDEO],
  ['http://youtube.com/watch?list=RDabc&v=dQw4w9WgXcQ&t=42s', 'youtube', VIDEO],
  ['https://m.youtube.com/watch?v=dQw4w9WgXcQ', 'youtube', VIDEO],
  ['https://music.youtube.com/watch?v=dQw4w9WgXcQ&si=abc', 'youtube', VIDEO],
  ['https://www.youtube.com/shorts/dQw4w9WgXcQ?feature=share', 'youtube', VIDEO],
  ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', 'youtube', VIDEO],
  ['https://youtu.be/dQw4w9WgXcQ?si=abc', 'youtube', VIDEO],
  ['youtu.be/dQw4w9WgXcQ', 'youtube', VIDEO],
  ['HTTPS://WWW.YOUTUBE.COM/watch?v=dQw4w9WgXcQ', 'youtube', VIDEO],
  ['https://open.spotify.com/intl-de/track/0123456789ABCDEFGHabcd?si=1', 'spotify', TRACK],
  ['https://open.spotify.com/embed/track/0123456789ABCDEFGHabcd', 'spotify', TRACK],
  ['spotify:track:0123456789ABCDEFGHabcd', 'spotify', TRACK],
  ['https://www.deezer.com/de/track/3135556?utm=x', 'deezer', 'https://www.deezer.com/track/3135556'],
  ['https://www.deezer.com/track/3135556', 'deezer', 'https://www.deezer.com/track/3135556'],
  [
    'https://some-band.bandcamp.com/track/a-song?from=x',
    'bandcamp',
    'https://some-band.bandcamp.com/track/a-song',
  ],
  [
    `https://beta.musicbrainz.org/recording/${RECORDING.toUpperCase()}#x`,
    'musicbrainz',
    `https://musicbrainz.org/recording/${RECORDING}`,
  ],
])('desk-2: %s is a song at %s', (text, service, address) => {
  expect(parseSongAddress(text)).toMatchObject({ service, address })
})

test('desk-2: the ids are those of the address', () => {
  expect(parseSongAddress(VIDEO)).toMatchObject({ ids: { youtubeId: 'dQw4w9WgXcQ', spotifyId: null } })
  expect(parseSongAddress(TRACK)).toMatchObject({ ids: { spotifyId: '0123456789ABCDEFGHabcd' } })
  expect(parseSongAddress('https://www.deezer.com/track/1')).toMatchObject({ ids: { deezerTrackId: '1' } })
  expect(parseSongAddress(`https://musicbrainz.org/recording/${RECORDING}`)).toMatchObject({
    ids: { recordingMbid: RECORDING },
  })
})

test.each([
  ['https://www.youtube.com/playlist?list=PL123', /playlist/],
  ['https://www.youtube.com/watch?v=short', /not the address of one song/],
  ['https://www.youtube.com/@channel', /not the address of one song/],
  ['https://open.spotify.com/album/0123456789ABCDEFGHabcd', /not the address of one song/],
  ['https://open.spotify.com/playlist/0123456789ABCDEFGHabcd', /playlist/],
  ['https://www.deezer.com/de/album/302127', /an album/],
  ['https://some-band.bandcamp.com/album/an-album', /an album/],
  [`https://musicbrainz.org/release/${RECORDING}`, /not the address of one song/],
  ['https://spotify.link/abc', /short link/],
  ['https://deezer.page.link/abc', /short link/],
  ['https://link.deezer.com/s/abc', /short link/],
  ['https://vimeo.com/1234', /Only songs at/],
  ['https://bandcamp.com/discover', /Only songs at/],
  ['https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ', /Only songs at/],
  ['https://evil-youtube.com/watch?v=dQw4w9WgXcQ', /Only songs at/],
  ['https://xn--yutube-9ua.com/watch?v=dQw4w9WgXcQ', /Only songs at/],
  ['https://www.youtube.com@evil.example/watch?v=dQw4w9WgXcQ', /not the address of a page/],
  ['https://evil:x@www.youtube.com/watch?v=dQw4w9WgXcQ', /not the address of a page/],
  ['https://www.youtube.com:8080/watch?v=dQw4w9WgXcQ', /not the address of a page/],
  ['http://127.0.0.1/watch?v=dQw4w9WgXcQ', /Only songs at/],
  ['http://169.254.169.254/latest/meta-data', /Only songs at/],
  ['http://2130706433/watch?v=dQw4w9WgXcQ', /Only songs at/],
  ['http://[::1]/watch?v=dQw4w9WgXcQ', /not the address of a page/],
  ['http://localhost/watch?v=dQw4w9WgXcQ', /not the address of a page/],
  ['file:///etc/passwd', /not the address of a page/],
  ['javascript:alert(1)', /not the address of a page/],
  ['ftp://www.youtube.com/watch?v=dQw4w9WgXcQ', /not the address of a page/],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ and more', /not the address of a page/],
  ['', /not the address of a page/],
])('desk-2: %s is refused in words', (text, words) => {
  const read = parseSongAddress(text)

  expect(read).toEqual({ refusal: expect.stringMatching(words) })
  expect(read).toEqual({ refusal: expect.stringMatching(/^[A-Z][^:]+\.$/) })
})

test('desk-2: ten megabytes are refused too', () => {
  expect(parseSongAddress('x'.repeat(10_000_000))).toHaveProperty('refusal')
})
