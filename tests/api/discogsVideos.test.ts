import { beforeEach, expect, test } from 'vitest'
import { findVideos } from '../../server/catalogue/videos/findVideos.ts'
import { makeMicrogenre } from '../factories.ts'
import { CatalogueTool, FAST_RETRIES } from '../harness/CatalogueTool.ts'
import { scaled } from '../harness/tier.ts'
import type { KnownVideo } from '../stand-ins/youtubeApi.ts'

/* catalogue-21: videos of releases at Discogs, without a key of YouTube. */

const tool = new CatalogueTool()
const { outside, db } = tool

beforeEach(async () => {
  outside.reset()
  await db`truncate songs, video_candidates, provider_cache`
})

/** Songs of three minutes, each on a release whose group has the master of the same number at Discogs. */
async function addSongs(count: number): Promise<void> {
  const { id } = await makeMicrogenre(db, 0)
  await db`
    insert into songs (key, source, microgenre_id, seq, title, artist, duration_ms, recording_mbid)
    select 'song-' || n, 'import', ${id}, n, 'Song ' || n, 'Artist of ' || n, 180000,
      '00000000-0000-0000-0000-' || lpad(n::text, 12, '0')
    from generate_series(0, ${count - 1}::int) n`
  for (let n = 0; n < count; n++) {
    const release = { mbid: mbidOf(1, n), groupMbid: mbidOf(2, n), date: '1993' }
    const compilation = { mbid: mbidOf(3, n), date: '1990', secondaryTypes: ['Compilation'] }
    const song = {
      mbid: mbidOf(0, n),
      title: `Song ${n}`,
      artist: `Artist of ${n}`,
      artistMbid: mbidOf(4, n),
    }
    outside.musicbrainz.know({ ...song, releases: [compilation, release] })
    outside.musicbrainz.link(mbidOf(2, n), { addresses: [`https://www.discogs.com/master/${n}`] })
  }
}

const mbidOf = (kind: number, n: number) => `0000000${kind}-0000-0000-0000-${String(n).padStart(12, '0')}`
const idOf = (name: string) => name.padStart(11, '_').slice(-11)
const nameOf = (n: number) => `Artist of ${n} - Song ${n}`
const named = (name: string, title: string, more = {}) => ({
  uri: `https://www.youtube.com/watch?v=${idOf(name)}`,
  title,
  ...more,
})

/** Discogs names it, and YouTube has it. */
function video(name: string, title: string, more = {}, its: Partial<KnownVideo> = {}) {
  outside.youtube.know(idOf(name), { title, channel: 'anyone', ...its })
  return named(name, title, more)
}

const find = (env = outside.withoutKeys, retry = FAST_RETRIES) =>
  findVideos(db, tool.services(env), { retry })

async function found(): Promise<Record<string, string>> {
  const rows = await db<{ key: string; youtubeId: string }[]>`
    select key, youtube_id from songs where youtube_id is not null`
  return Object.fromEntries(rows.map(({ key, youtubeId }) => [key, youtubeId.replace(/^_+/, '')]))
}

test('catalogue-21: a master or a release has the videos, and the song itself comes before clips', async () => {
  await addSongs(4)
  const clip = (n: number) => video(`clip${n}`, `${nameOf(n)} (Official Video)`, { duration: 215 })
  const audio = video('audio', `${nameOf(1)} (Official Audio)`, { duration: 185 })
  outside.discogs.know('masters/0', [
    clip(0),
    video('topic', 'Song 0', {}, { channel: 'Artist of 0 - Topic' }),
  ])
  outside.discogs.know('masters/1', [clip(1), audio])
  outside.discogs.know('masters/2', [clip(2), video('equal', nameOf(2), { duration: 183 })])
  outside.musicbrainz.link(mbidOf(2, 3), { addresses: ['https://www.allmusic.com/album/1'] })
  outside.musicbrainz.link(mbidOf(1, 3), {
    addresses: ['https://www.discogs.com/de/release/70-Artist-Title'],
  })
  outside.discogs.know('releases/70', [clip(3)])
  const ran = await tool.run(['videos'], { ...outside.withoutKeys, DISCOGS_TOKEN: 'right' })

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('Found 4 videos: 0 by MusicBrainz, 0 by Wikidata, 4 by Discogs')
  expect(await found()).toEqual({
    'song-0': 'topic',
    'song-1': 'audio',
    'song-2': 'equal',
    'song-3': 'clip3',
  })
  for (const agent of outside.discogs.agents) expect(agent).toMatch(/^BangerOrBust\/\S+ \( http.+ \)$/)
  // The clips wait until these videos die (catalogue-20).
  expect(await db`select from video_candidates where refusal = 'not needed'`).toHaveLength(3)
})

/** What pages name that is not the song, or cannot be played; the last one also names the song. */
const HOSTILE: ((n: number) => unknown[] | undefined)[] = [
  () => undefined,
  () => [],
  (n) => [{ uri: 'https://www.youtube.com/playlist?list=PLabcdefghijk', title: nameOf(n) }],
  (n) => [{ uri: 'https://vimeo.com/12345678', title: nameOf(n) }],
  (n) => [{ uri: 'https://www.youtube.com/watch?v=tooshort', title: nameOf(n) }],
  (n) => [{ uri: 'javascript:alert(1)', title: nameOf(n) }, null, 7, 'text', { title: 'No address' }],
  (n) => [named(`none${n}`, nameOf(n))],
  (n) => [video(`h${n}`, nameOf(n), { embed: false })],
  (n) => [video(`h${n}`, nameOf(n), {}, { embeddable: false })],
  ...[150, 1800, 0, -1].map((duration) => (n: number) => [video(`h${n}`, nameOf(n), { duration })]),
  (n) => [video(`h${n}`, `${nameOf(n)} (Live in Paris)`)],
  (n) => [video(`h${n}`, nameOf(n), {}, { channel: 'Karaoke Hits' })],
  (n) => [video(`h${n}`, `Artist of ${n} - Elsewhere`)],
  (n) => [video(`h${n}`, `Ben - Song ${n}`)],
  // Its title was another one.
  (n) => [video(`h${n}`, nameOf(n), {}, { title: 'Something else' })],
  (n) => [video(`h${n}`, nameOf(n), {}, { title: `Song ${n}`, channel: 'Ben' })],
  (n) => [video('stolen', nameOf(n))],
  (n) => [
    ...Array.from({ length: 2999 }, (_, i) => named(`${n}x${i}`, `Artist of ${n} - Track ${i}x`)),
    video(`good${n}`, nameOf(n)),
  ],
]

test('catalogue-21: of 1,000 songs none gets a wrong video, and a second run makes no calls', async () => {
  const size = scaled(HOSTILE.length * 3, 1000)
  await addSongs(size)
  await db`update songs set youtube_id = ${idOf('stolen')}, title = 'Other' where key = 'song-0'`
  const right: Record<string, string> = { 'song-0': 'stolen' }
  for (let n = 1; n < size; n++) {
    const kind = n % HOSTILE.length
    if (n % 2 === 0) outside.discogs.know(`masters/${n}`, [video(`good${n}`, nameOf(n))])
    // Some pages were removed.
    else if (n % 11 > 0) outside.discogs.know(`masters/${n}`, HOSTILE[kind]?.(n))
    if (n % 2 === 0 || (n % 11 > 0 && kind === HOSTILE.length - 1)) right[`song-${n}`] = `good${n}`
  }
  await find()

  expect(await found()).toEqual(right)
  const calls = () =>
    [outside.discogs, outside.musicbrainz, outside.wikidata, outside.youtube].map(
      (its) => its.requests.length,
    )
  const before = calls()
  expect(await find()).toMatchObject({ done: 0 })
  expect(calls()).toEqual(before)
}, 300_000)

test.each(['down', 'wrong', 'cut', 'gone'] as const)(
  'catalogue-9: while Discogs is %s YouTube is searched all the same, and the next run asks Discogs again',
  async (behaviour) => {
    await addSongs(2)
    outside.discogs.know('masters/0', [video('v0', nameOf(0))])
    outside.discogs.know('masters/1', [video('v1', nameOf(1), {}, { duration: 'PT9M' })])
    outside.discogs.behave(behaviour)
    await find(outside.env, { pause: 20, tries: 1 })
    expect(await found()).toEqual({ 'song-0': 'v0' })

    outside.discogs.behave('ok')
    outside.discogs.requests.length = 0
    await find()
    expect(outside.discogs.requests).toEqual(['masters/1'])
  },
)

test('catalogue-10: a 429 is waited for, and a token that Discogs rejects is named', async () => {
  await addSongs(1)
  outside.discogs.know('masters/0', [video('v', nameOf(0))])
  const wrong = await tool.run(['videos'], { ...outside.withoutKeys, DISCOGS_TOKEN: 'wrong' })
  expect(wrong).toMatchObject({ code: 1, stderr: 'Discogs rejects DISCOGS_TOKEN.\n' })
  outside.discogs.behave('limited', 1)
  await find()

  expect(await found()).toEqual({ 'song-0': 'v' })
  expect(outside.discogs.requests).toHaveLength(3)
})

test('catalogue-9, catalogue-21: a doubtful video at Discogs is stored with its reason, after those that qualify', async () => {
  await addSongs(1)
  const doubtful = [1, 2, 3, 4, 5].map((n) => video(`long${n}`, nameOf(0), { duration: 600 }))
  const other = [video('live', `${nameOf(0)} (Live)`), video('track', 'Artist of 0 - Track')]
  outside.discogs.know('masters/0', [...other, ...doubtful, video('good', nameOf(0), { duration: 182 })])
  await find()

  expect(await found()).toEqual({ 'song-0': 'good' })
  expect(await db`select refusal from video_candidates order by refusal`.values()).toEqual([
    ...Array(4).fill(['length differs']),
    [null],
  ])
})
