import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ELSEWHERE_SERVICES, type ElsewhereService, elsewhereLinks } from './elsewhereLinks.ts'

const HOSTS: Record<ElsewhereService, string> = {
  youtube: 'www.youtube.com',
  'youtube-music': 'music.youtube.com',
  spotify: 'open.spotify.com',
  deezer: 'www.deezer.com',
  bandcamp: 'bandcamp.com',
  musicbrainz: 'musicbrainz.org',
}

const ids = { youtubeId: 'dQw4w9-gX_Q', spotifyId: '4uLU6hMCjMI75M1A2tKUQC', deezerTrackId: '3135556' }

const blueMonday: Song = {
  title: 'Blue Monday',
  artist: 'New Order',
  youtubeId: null,
  spotifyId: null,
  deezerTrackId: null,
}

const hostile = [
  '..',
  '../../etc/passwd',
  '%2e%2e%2f',
  '\\\\evil.example',
  '//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "' onclick='alert(1)",
  '%00%0d%0aSet-Cookie: session=x',
  '\r\nLocation: https://evil.example',
  '\u0000',
  '\ud83c',
  '\udfb5\ud83c',
  '\u202e\u2066',
  'أغنية',
  'x'.repeat(3000),
  '﷽'.repeat(3000),
]

const anyText = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
)

describe('playback-60', () => {
  test('a song with ids has links to the song itself', () => {
    expect(hrefs({ ...blueMonday, ...ids })).toEqual({
      youtube: 'https://www.youtube.com/watch?v=dQw4w9-gX_Q',
      'youtube-music': 'https://music.youtube.com/watch?v=dQw4w9-gX_Q',
      spotify: 'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
      deezer: 'https://www.deezer.com/track/3135556',
      bandcamp: 'https://bandcamp.com/search?q=New%20Order%20Blue%20Monday&item_type=t',
      musicbrainz:
        'https://musicbrainz.org/search?query=New%20Order%20Blue%20Monday&type=recording&method=indexed',
    })
  })

  test('a song without ids has links to searches for artist and title', () => {
    expect(hrefs(blueMonday)).toMatchObject({
      youtube: 'https://www.youtube.com/results?search_query=New%20Order%20Blue%20Monday',
      'youtube-music': 'https://music.youtube.com/search?q=New%20Order%20Blue%20Monday',
      spotify: 'https://open.spotify.com/search/New%20Order%20Blue%20Monday',
      deezer: 'https://www.deezer.com/search/New%20Order%20Blue%20Monday',
    })
  })

  test('the services, their names and their order are those of the list', () => {
    const links = elsewhereLinks({ ...blueMonday, ...ids }, ['deezer', 'musicbrainz', 'youtube-music'])
    expect(links.map(({ service, label, isExact }) => [service, label, isExact])).toEqual([
      ['deezer', 'Deezer', true],
      ['musicbrainz', 'MusicBrainz', false],
      ['youtube-music', 'YouTube Music', true],
    ])
    expect(elsewhereLinks(blueMonday, [])).toEqual([])
  })

  test('services that this version does not know are left out', () => {
    const links = elsewhereLinks(blueMonday, ['napster', 'constructor', '__proto__', 'spotify'])
    expect(links.map(({ service }) => service)).toEqual(['spotify'])
  })

  test.each([
    ['youtubeId', 'javascript:'],
    ['youtubeId', 'dQw4w9-gX_Q&list=x'],
    ['youtubeId', 'dQw4w9-gX_Q\n'],
    ['youtubeId', '../redirect'],
    ['youtubeId', 'dQw4w9 gX_Q'],
    ['spotifyId', '4uLU6hMCjMI75M1A2tKUQ-'],
    ['spotifyId', '4uLU6hMCjMI75M1A2tKUQC/../..'],
    ['spotifyId', '４uLU6hMCjMI75M1A2tKUQC'],
    ['deezerTrackId', 'https://cdn.dzcdn.net/preview.mp3'],
    ['deezerTrackId', '0'],
    ['deezerTrackId', '-1'],
    ['deezerTrackId', '1e3'],
    ['deezerTrackId', '१२३'],
    ['deezerTrackId', '3135556 '],
    ['deezerTrackId', ''],
  ])('%s %j is none, so the link is a search', (field, id) => {
    expect(hrefs({ ...blueMonday, [field]: id })).toEqual(hrefs(blueMonday))
  })

  test.each([
    ['..', '.', 'https://open.spotify.com/search/..%20.'],
    ['..', '', 'https://open.spotify.com/search'],
    ['', '', 'https://open.spotify.com/search'],
    ['a/../b', 'c?d#e', 'https://open.spotify.com/search/a%2F..%2Fb%20c%3Fd%23e'],
    [`"'<script>`, 'javascript:alert(1)', null],
    ['a\u0000b\r\n\tc', '\u007fd', 'https://open.spotify.com/search/a%20b%20c%20d'],
    ['\u202eabc\u2066', '\ud83c', 'https://open.spotify.com/search/abc'],
    ['شجريان', 'ابر می\u200cبارد', null],
  ])('artist %j and title %j stay words of the search', (artist, title, href) => {
    const links = hrefs({ ...blueMonday, artist, title })
    if (href) expect(links.spotify).toBe(href)
    expectSafe({ ...blueMonday, artist, title })
  })

  test('a long title is cut between characters', () => {
    const { searchParams } = new URL(hrefs({ ...blueMonday, title: '👩🏽‍🎤'.repeat(5000) }).bandcamp ?? '')
    expect(searchParams.get('q')).toMatch(/^New Order 👩🏽‍🎤/)
    expect([...(searchParams.get('q') ?? '')].length).toBeLessThanOrEqual(200)
    expect(searchParams.get('q')).not.toMatch(/\p{Surrogate}/u)
  })

  test('whatever a song says, its links are https, lead to their services and break no markup', () => {
    const id = fc.oneof(fc.constant(null), anyText, fc.constantFrom(...Object.values(ids)))
    fc.assert(
      fc.property(anyText, anyText, id, id, id, (title, artist, youtubeId, spotifyId, deezerTrackId) => {
        expectSafe({ ...blueMonday, title, artist, youtubeId, spotifyId, deezerTrackId })
      }),
      { numRuns: 500 },
    )
    for (const text of hostile) expectSafe({ ...blueMonday, title: text, artist: text, spotifyId: text })
  })
})

type Song = Parameters<typeof elsewhereLinks>[0]

function hrefs(song: Song): Partial<Record<ElsewhereService, string>> {
  return Object.fromEntries(
    elsewhereLinks(song, ELSEWHERE_SERVICES).map(({ service, href }) => [service, href]),
  )
}

const PATHS = /^\/(watch|track\/\d{1,15}|track\/[A-Za-z0-9]{22}|results|search(\/[^/]+)?)$/

function expectSafe(song: Song): void {
  const links = elsewhereLinks(song, ELSEWHERE_SERVICES)
  expect(links.map(({ service }) => service)).toEqual(ELSEWHERE_SERVICES)
  for (const { service, href } of links) {
    const url = new URL(href)
    expect([url.protocol, url.host, url.username, url.hash]).toEqual(['https:', HOSTS[service], '', ''])
    expect(url.pathname).toMatch(PATHS)
    // Nothing is left for a browser to normalise or for markup to misread.
    expect(url.href).toBe(href)
    expect(href).toMatch(/^[\w:/?&=%.-]+$/)
    expect(href.length).toBeLessThan(2600)
  }
}
