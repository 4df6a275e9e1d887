import { beforeEach, expect, test } from 'vitest'
import { loadCatalogue } from '../../server/catalogue/loadCatalogue.ts'
import { findVideos, MAX_SEARCHES, type VideoOptions } from '../../server/catalogue/videos/findVideos.ts'
import { makeMicrogenre } from '../factories.ts'
import { CatalogueTool, FAST_RETRIES } from '../harness/CatalogueTool.ts'
import { testCatalogue } from '../harness/testCatalogue.ts'
import { scaled } from '../harness/tier.ts'
import type { KnownVideo } from '../stand-ins/youtubeApi.ts'

/*
 * `npm run catalogue -- videos`, against stand-ins for MusicBrainz, Wikidata, Discogs and YouTube that also name wrong
 * videos.
 */

const tool = new CatalogueTool()
const { outside, db } = tool

beforeEach(async () => {
  outside.reset()
  await db`truncate songs, video_candidates, provider_cache, provider_quotas`
})

test('catalogue-7: videos come from MusicBrainz, Wikidata and YouTube, in this order', async () => {
  await add('linked', 'filmed', 'item', 'work', 'searched', 'unnamed')
  outside.musicbrainz.link(mbidOf('linked'), {
    addresses: ['https://open.spotify.com/track/4PTG3Z6ehGkBFwjybzWkR8', address('linked')],
    ended: [address('ended')],
  })
  outside.musicbrainz.link(mbidOf('filmed'), { musicVideos: [mbidOf('film')] })
  outside.musicbrainz.link(mbidOf('film'), { addresses: [address('filmed')] })
  outside.musicbrainz.link(mbidOf('work'), { works: [mbidOf('the work')] })
  outside.wikidata.know('P4404', mbidOf('item'), idOf('item'))
  outside.wikidata.know('P435', mbidOf('the work'), idOf('work'))
  // Wikidata has another one for a song that MusicBrainz links.
  outside.wikidata.know('P4404', mbidOf('linked'), idOf('another'))
  await db`update songs set recording_mbid = null where key = 'unnamed'`
  for (const name of ['linked', 'ended', 'filmed', 'item', 'work', 'searched', 'unnamed']) addVideo(name)
  addVideo('another', { title: 'Artist of linked - Song linked' })
  const ran = await tool.run(['videos'])

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('Asked about 6 of 6 songs without a video')
  expect(ran.stdout).toContain(
    "Found 6 videos: 2 by MusicBrainz, 2 by Wikidata, 0 by Discogs, 2 by YouTube's search.\n",
  )
  expect(ran.stdout).toContain('6 of 6 songs have a video (100 %); 0 others')
  expect(await videos()).toEqual({
    linked: 'linked musicbrainz',
    filmed: 'filmed musicbrainz',
    item: 'item wikidata',
    work: 'work wikidata',
    searched: 'searched youtube',
    unnamed: 'unnamed youtube',
  })
  const refused = await refusals()
  expect(refused).toMatchObject({ 'linked another': 'not needed' })
  expect(refused).not.toHaveProperty('linked ended')
  // Each request names its sender.
  for (const agent of [...outside.wikidata.agents, ...outside.musicbrainz.agents])
    expect(agent).toMatch(/^BangerOrBust\/\S+ \( http.+ \)$/)

  // A second run makes no requests and changes nothing.
  const before = await readRows()
  const requests = requestsOf()
  expect((await tool.run(['videos'])).stdout).toContain('Asked about 0 of 0 songs')
  expect(requestsOf()).toEqual(requests)
  expect(await readRows()).toEqual(before)
})

const HOSTILE: Record<string, { video: Partial<KnownVideo> | null; refusal: string }> = {
  othertitle: { video: { title: 'Artist of othertitle - Elsewhere' }, refusal: 'other song' },
  longtitle: { video: { title: 'Artist of longtitle - Song longtitle Blues' }, refusal: 'weak' },
  otherartist: { video: { title: 'Song otherartist', channel: 'Ben' }, refusal: 'other song' },
  byben: { video: { title: 'Ben - Song byben (Artist of byben)', channel: 'Ben' }, refusal: 'weak' },
  retold: {
    video: { title: 'Artist of retold - Song retold (Covered by Ben)' },
    refusal: 'other version',
  },
  onstage: { video: { title: 'Artist of onstage - Song onstage (Live in Paris)' }, refusal: 'other version' },
  singalong: { video: { channel: 'Karaoke Hits' }, refusal: 'other version' },
  longer: { video: { duration: 'PT9M' }, refusal: 'length differs' },
  shorter: { video: { duration: 'PT30S' }, refusal: 'length differs' },
  closed: { video: { embeddable: false }, refusal: 'unplayable' },
  private: { video: { privacy: 'private' }, refusal: 'unplayable' },
  deleted: { video: { upload: 'deleted' }, refusal: 'unplayable' },
  unknown: { video: null, refusal: 'unplayable' },
  adult: { video: { ageRestricted: true }, refusal: 'unplayable' },
  onecountry: { video: { allowed: ['DE'] }, refusal: 'regional' },
  blocked: { video: { blocked: Array.from({ length: 60 }, (_, n) => `X${n}`) }, refusal: 'regional' },
}

test.each(['musicbrainz', 'wikidata', 'youtube'] as const)(
  'catalogue-7: no wrong video is taken from %s, and the report says why',
  async (source) => {
    const names = Object.keys(HOSTILE)
    await add(...names)
    for (const name of names) {
      const { video } = HOSTILE[name] ?? {}
      if (video) addVideo(name, video)
      if (source === 'musicbrainz') outside.musicbrainz.link(mbidOf(name), { addresses: [address(name)] })
      if (source === 'wikidata') outside.wikidata.know('P4404', mbidOf(name), idOf(name))
    }
    outside.youtube.useUpQuota(source === 'youtube' ? 100 : 0)
    const ran = await tool.run(['videos', '--report', 'judged.tsv'])

    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(await db`select key from songs where youtube_id is not null`).toHaveLength(0)
    expect(ran.stdout).toMatch(/0 of 16 songs have a video \(0 %\); \d+ others have a candidate/)
    const report = tool.read('judged.tsv').split('\n').slice(1, -1)
    const foundVideos = Object.fromEntries(
      report
        .map((row) => row.split('\t'))
        .filter(([key, , , id]) => id === idOf(key ?? ''))
        .map((cells) => [cells[0], cells[8]]),
    )
    // YouTube's search finds no videos that nobody may see.
    const hidden = source === 'youtube' ? ['unknown'] : []
    expect(foundVideos).toMatchObject(
      Object.fromEntries(
        names.filter((name) => !hidden.includes(name)).map((name) => [name, HOSTILE[name]?.refusal]),
      ),
    )
    expect(report.find((row) => row.startsWith('longer\t'))).toContain('540 s instead of 180 s')
    expect(ran.stdout).toContain('All judged videos are in judged.tsv.')
  },
)

test('catalogue-7: a video belongs to one song, and a song keeps its video', async () => {
  await add('first', 'second', 'own')
  await db`update songs set youtube_id = ${idOf('own')} where key = 'own'`
  for (const name of ['first', 'second', 'own'])
    outside.musicbrainz.link(mbidOf(name), { addresses: [address('first')] })
  addVideo('first')
  await db`update songs set artist = 'Artist of first', title = 'Song first'`
  await find()

  expect(await videos()).toEqual({ first: 'first musicbrainz', own: 'own' })
  expect(await refusals()).toEqual({ 'second first': 'of another song' })
})

test('catalogue-7: a song whose video is blocked gets another one, which loading the catalogue keeps', async () => {
  await loadCatalogue(tool.database.db, testCatalogue())
  const [blocked, without] = ['zydeco-000', 'zydeco-001']
  await db`update songs set blocked_video_id = youtube_id where key = ${blocked}`
  await db`update songs set retired_at = now() where key <> all(${[blocked, without]})`
  addVideo('other', { title: 'Artist 000 - Zydeco 000' })
  addVideo('missing', { title: 'Artist 001 - Zydeco 001' })
  const [{ wasBlocked } = { wasBlocked: '' }] = await db<{ wasBlocked: string }[]>`
    select blocked_video_id as was_blocked from songs where key = ${blocked}`
  outside.youtube.know(wasBlocked, { title: 'Artist 000 - Zydeco 000', channel: 'Artist 000' })
  await find()

  const expectedReasons = { [blocked]: 'other youtube', [without]: 'missing youtube' }
  expect(await videos()).toMatchObject(expectedReasons)
  // catalogue-8
  await loadCatalogue(tool.database.db, testCatalogue())
  await loadCatalogue(tool.database.db, testCatalogue())
  expect(await videos()).toMatchObject(expectedReasons)
  // The starter catalogue gives the video to another song.
  const { songs, ...overrides } = testCatalogue()
  await loadCatalogue(tool.database.db, {
    ...overrides,
    songs: songs.map((song) =>
      song.key === 'footwork-001' ? { ...song, youtube_id: idOf('missing') } : song,
    ),
  })
  expect(await videos()).toMatchObject({ [blocked]: 'other youtube', 'footwork-001': 'missing' })
})

test('catalogue-17: a video that a steward rejected for a song is not taken again, and one that was approved stays', async () => {
  await loadCatalogue(tool.database.db, testCatalogue())
  const [rejected, approved] = ['zydeco-001', 'zydeco-003']
  await db`update songs set retired_at = now() where key <> all(${[rejected, approved]})`
  await db`update songs set youtube_id = null`
  addVideo('first', { title: 'Artist 001 - Zydeco 001 Blues' })
  addVideo('second', { title: 'Artist 003 - Zydeco 003 Blues' })
  await find()
  const [one, two] = [`${rejected} first`, `${approved} second`]
  expect(await refusals()).toMatchObject({ [one]: 'weak', [two]: 'weak' })

  // As the desk writes them.
  await db`update video_candidates set refusal = 'rejected' where video_id = ${idOf('first')}`
  await db`update video_candidates set refusal = null where video_id = ${idOf('second')}`
  await db`update songs set youtube_id = ${idOf('second')} where key = ${approved}`
  addVideo('first', { title: 'Artist 001 - Zydeco 001' })
  await db`delete from provider_cache`
  const again = await tool.run(['videos', '--dry-run'])
  expect(again.stdout).toContain('0 others have a candidate')
  await find()
  expect((await refusals())[one]).toBe('rejected')
  await loadCatalogue(tool.database.db, testCatalogue())
  expect(await videos()).toMatchObject({ [approved]: 'second youtube' })
  expect(await videos()).not.toHaveProperty(rejected)
})

test('catalogue-9: without a key the links are followed, checked by oEmbed, and the summary says what is missing', async () => {
  await add('linked', 'closed', 'item', 'search')
  outside.musicbrainz.link(mbidOf('linked'), { addresses: [address('linked')] })
  outside.musicbrainz.link(mbidOf('closed'), { addresses: [address('closed')] })
  outside.wikidata.know('P4404', mbidOf('item'), idOf('item'))
  for (const name of ['linked', 'item', 'search']) addVideo(name)
  addVideo('closed', { embeddable: false })
  const ran = await tool.run(['videos'], outside.withoutKeys)

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('YOUTUBE_API_KEY is not set: YouTube was not searched')
  expect(await videos()).toEqual({ linked: 'linked musicbrainz', item: 'item wikidata' })
  expect(outside.youtube.requests.every((call) => call.startsWith('oembed:'))).toBe(true)

  // With a key the search continues.
  expect((await tool.run(['videos'])).stdout).toContain('Asked about 2 of 2 songs')
  expect(await videos()).toMatchObject({ search: 'search youtube' })
})

test('catalogue-9: when the searches of the day are used up, the run goes on the next day', async () => {
  const names = ['one', 'two', 'three', 'four']
  await add(...names)
  for (const name of names) addVideo(name)
  // Operators may use the rest.
  await db`
    insert into provider_quotas (provider, day, used)
    values ('youtube-search', (now() at time zone 'America/Los_Angeles')::date, ${MAX_SEARCHES - 2})`
  const ran = await tool.run(['videos'])

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('The 90 searches of today are used up.')
  expect(Object.keys(await videos())).toEqual(['one', 'two'])
  const [quota] = await db<{ used: number }[]>`select used from provider_quotas`
  expect(quota).toEqual({ used: MAX_SEARCHES })

  // The next day, but YouTube's own count ends in the middle.
  await db`delete from provider_quotas`
  outside.youtube.useUpQuota(1)
  outside.youtube.requests.length = 0
  await tool.run(['videos'])
  expect(Object.keys(await videos())).toEqual(['one', 'three', 'two'])
  await db`delete from provider_quotas`
  outside.youtube.useUpQuota(100)
  await tool.run(['videos'])
  expect(Object.keys(await videos())).toEqual(['four', 'one', 'three', 'two'])
  // No song was searched for again.
  expect(outside.youtube.requests.filter((call) => call === 'search:Artist of one Song one')).toEqual([])
})

test('catalogue-9: a dry run changes nothing, and its report is that of the run', async () => {
  await add('linked', 'searched', 'weak', 'twice')
  outside.musicbrainz.link(mbidOf('linked'), { addresses: [address('linked')] })
  outside.musicbrainz.link(mbidOf('twice'), { addresses: [address('linked')] })
  addVideo('linked')
  addVideo('searched')
  addVideo('weak', { title: 'Artist of weak - Song weak Blues' })
  await db`update songs set artist = 'Artist of linked', title = 'Song linked' where key = 'twice'`
  const before = await readRows()
  const dry = await tool.run(['videos', '--dry-run', '--report', 'dry.tsv'])

  expect(dry).toMatchObject({ code: 0, stderr: '' })
  expect(dry.stdout).toContain('Found 2 videos: 1 by MusicBrainz')
  expect(dry.stdout).toContain('This was a dry run. Nothing was changed.')
  expect(await readRows()).toEqual(before)
  const [quota] = await db<{ used: number }[]>`select used from provider_quotas`

  await tool.run(['videos', '--report', 'real.tsv'])
  expect(await videos()).toEqual({ linked: 'linked musicbrainz', searched: 'searched youtube' })
  expect(tool.read('dry.tsv')).toBe(tool.read('real.tsv'))
  // The searches of the dry run are cached.
  expect(await db`select used from provider_quotas`).toEqual([quota])
})

test.each([
  ['MusicBrainz', 'down'],
  ['Wikidata', 'cut'],
  ['YouTube', 'limited'],
] as const)('while %s is %s nothing is decided, and the next run continues', async (service, behaviour) => {
  const names = Array.from({ length: 61 }, (_, n) => `song${n}`)
  await add(...names)
  for (const name of names) outside.musicbrainz.link(mbidOf(name), { addresses: [address(name)] })
  for (const name of names) addVideo(name)
  const one = { MusicBrainz: outside.musicbrainz, Wikidata: outside.wikidata, YouTube: outside.youtube }[
    service
  ]
  one.behave(behaviour)
  await expect(find()).rejects.toThrow(`${service} does not answer. Try again later`)
  expect(await videos()).toEqual({})
  expect(await refusals()).toEqual({})

  one.behave('ok')
  expect(await find()).toMatchObject({ all: 61, done: 61, found: { musicbrainz: 61 } })
})

test('a key that YouTube rejects is named, and nothing is decided', async () => {
  await add('linked')
  outside.musicbrainz.link(mbidOf('linked'), { addresses: [address('linked')] })
  addVideo('linked')

  expect(await tool.run(['videos'], { ...outside.env, YOUTUBE_API_KEY: 'wrong' })).toMatchObject({
    code: 1,
    stderr: 'YouTube rejects YOUTUBE_API_KEY: API key not valid.\n',
  })
  expect(await videos()).toEqual({})
  expect(await find()).toMatchObject({ done: 1 })
})

test('a song is asked about again after 30 days, or when it has changed', async () => {
  await add('typo', 'late')
  await find()
  addVideo('late')
  addVideo('typo')
  expect(await find()).toMatchObject({ all: 0, done: 0 })

  await db`update songs set duration_ms = 181000 where key = 'typo'`
  const [late] = await db<{ id: string }[]>`select id from songs where key = 'late'`
  await db`
    update provider_cache set expires_at = now() - interval '1 second'
    where provider = 'youtube-search' or key = ${late?.id ?? ''}`
  expect(await find()).toMatchObject({ all: 2, done: 2 })
  expect(await videos()).toEqual({ late: 'late youtube', typo: 'typo youtube' })
})

test('catalogue-9: Ctrl-C and kill -9 lose at most one page, and the next run asks for no other song again', async () => {
  const names = Array.from({ length: 70 }, (_, n) => `song${n}`)
  await add(...names)
  for (const name of names) outside.musicbrainz.link(mbidOf(name), { addresses: [address(name)] })
  for (const name of names) addVideo(name)
  const stopping = new AbortController()
  expect(await find({ signal: stopping.signal, onProgress: () => stopping.abort() })).toMatchObject({
    wasInterrupted: true,
    done: 20,
  })
  outside.musicbrainz.requests.length = 0
  outside.musicbrainz.hangAfter(30)
  const { child, programEnd } = tool.start(['videos'])
  await expect.poll(() => outside.musicbrainz.requests.length, { timeout: 60_000 }).toBeGreaterThan(30)
  child.kill('SIGKILL')
  expect(await programEnd).toMatchObject({ code: null })
  expect(Object.keys(await videos())).toHaveLength(40)

  outside.musicbrainz.hangAfter(Number.POSITIVE_INFINITY)
  outside.musicbrainz.requests.length = 0
  expect(await tool.run(['videos'])).toMatchObject({ code: 0, stderr: '' })
  expect(Object.keys(await videos())).toHaveLength(70)
  expect(outside.musicbrainz.requests).toHaveLength(30)
})

test('catalogue-21: a master or a release has the videos, and the song itself comes before clips', async () => {
  await addWithMasters(4)
  const clip = (n: number) => atDiscogs(`clip${n}`, `${nameOf(n)} (Official Video)`, { duration: 215 })
  const audio = atDiscogs('audio', `${nameOf(1)} (Official Audio)`, { duration: 185 })
  outside.discogs.know('masters/0', [
    clip(0),
    atDiscogs('topic', 'Song 0', {}, { channel: 'Artist of 0 - Topic' }),
  ])
  outside.discogs.know('masters/1', [clip(1), audio])
  outside.discogs.know('masters/2', [clip(2), atDiscogs('equal', nameOf(2), { duration: 183 })])
  outside.musicbrainz.link(mbidOf('group 3'), { addresses: ['https://www.allmusic.com/album/1'] })
  outside.musicbrainz.link(mbidOf('release 3'), {
    addresses: ['https://www.discogs.com/de/release/70-Artist-Title'],
  })
  outside.discogs.know('releases/70', [clip(3)])
  const ran = await tool.run(['videos'], { ...outside.withoutKeys, DISCOGS_TOKEN: 'right' })

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('Found 4 videos: 0 by MusicBrainz, 0 by Wikidata, 4 by Discogs')
  expect(await videos()).toEqual({
    0: 'topic discogs',
    1: 'audio discogs',
    2: 'equal discogs',
    3: 'clip3 discogs',
  })
  for (const agent of outside.discogs.agents) expect(agent).toMatch(/^BangerOrBust\/\S+ \( http.+ \)$/)
  // The clips wait until these videos die (catalogue-20).
  expect(await db`select from video_candidates where refusal = 'not needed'`).toHaveLength(3)
})

/** What pages name that is not the song, or cannot be played; the last one also names the song. */
const HOSTILE_PAGES: ((n: number) => unknown[] | undefined)[] = [
  () => undefined,
  () => [],
  (n) => [{ uri: 'https://www.youtube.com/playlist?list=PLabcdefghijk', title: nameOf(n) }],
  (n) => [{ uri: 'https://vimeo.com/12345678', title: nameOf(n) }],
  (n) => [{ uri: 'https://www.youtube.com/watch?v=tooshort', title: nameOf(n) }],
  (n) => [{ uri: 'javascript:alert(1)', title: nameOf(n) }, null, 7, 'text', { title: 'No address' }],
  (n) => [nameAtDiscogs(`none${n}`, nameOf(n))],
  (n) => [atDiscogs(`h${n}`, nameOf(n), { embed: false })],
  (n) => [atDiscogs(`h${n}`, nameOf(n), {}, { embeddable: false })],
  ...[150, 1800, 0, -1].map((duration) => (n: number) => [atDiscogs(`h${n}`, nameOf(n), { duration })]),
  (n) => [atDiscogs(`h${n}`, `${nameOf(n)} (Live in Paris)`)],
  (n) => [atDiscogs(`h${n}`, nameOf(n), {}, { channel: 'Karaoke Hits' })],
  (n) => [atDiscogs(`h${n}`, `Artist of ${n} - Elsewhere`)],
  (n) => [atDiscogs(`h${n}`, `Ben - Song ${n}`)],
  // Its title was another one.
  (n) => [atDiscogs(`h${n}`, nameOf(n), {}, { title: 'Something else' })],
  (n) => [atDiscogs(`h${n}`, nameOf(n), {}, { title: `Song ${n}`, channel: 'Ben' })],
  (n) => [atDiscogs('stolen', nameOf(n))],
  (n) => [
    ...Array.from({ length: 2999 }, (_, i) => nameAtDiscogs(`${n}x${i}`, `Artist of ${n} - Track ${i}x`)),
    atDiscogs(`good${n}`, nameOf(n)),
  ],
]

test('catalogue-21: of 1,000 songs none gets a wrong video, and a second run makes no calls', async () => {
  const size = scaled(HOSTILE_PAGES.length * 3, 1000)
  await addWithMasters(size)
  await db`update songs set youtube_id = ${idOf('stolen')}, title = 'Other' where key = '0'`
  const right: Record<string, string> = { 0: 'stolen' }
  for (let n = 1; n < size; n++) {
    const kind = n % HOSTILE_PAGES.length
    if (n % 2 === 0) outside.discogs.know(`masters/${n}`, [atDiscogs(`good${n}`, nameOf(n))])
    // Some pages were removed.
    else if (n % 11 > 0) outside.discogs.know(`masters/${n}`, HOSTILE_PAGES[kind]?.(n))
    if (n % 2 === 0 || (n % 11 > 0 && kind === HOSTILE_PAGES.length - 1)) right[n] = `good${n} discogs`
  }
  await find({}, outside.withoutKeys)

  expect(await videos()).toEqual(right)
  const before = requestsOf()
  expect(await find({}, outside.withoutKeys)).toMatchObject({ done: 0 })
  expect(requestsOf()).toEqual(before)
}, 300_000)

test.each(['down', 'wrong', 'cut', 'gone'] as const)(
  'catalogue-9: while Discogs is %s YouTube is searched all the same, and the next run asks Discogs again',
  async (behaviour) => {
    await addWithMasters(2)
    outside.discogs.know('masters/0', [atDiscogs('v0', nameOf(0))])
    outside.discogs.know('masters/1', [atDiscogs('v1', nameOf(1), {}, { duration: 'PT9M' })])
    outside.discogs.behave(behaviour)
    await find({ retry: { pause: 20, tries: 1 } })
    expect(await videos()).toEqual({ 0: 'v0 youtube' })

    outside.discogs.behave('ok')
    outside.discogs.requests.length = 0
    await find({}, outside.withoutKeys)
    expect(outside.discogs.requests).toEqual(['masters/1'])
  },
)

test('catalogue-10: a 429 is waited for, and a token that Discogs rejects is named', async () => {
  await addWithMasters(1)
  outside.discogs.know('masters/0', [atDiscogs('v', nameOf(0))])
  const wrong = await tool.run(['videos'], { ...outside.withoutKeys, DISCOGS_TOKEN: 'wrong' })
  expect(wrong).toMatchObject({ code: 1, stderr: 'Discogs rejects DISCOGS_TOKEN.\n' })
  outside.discogs.behave('limited', 1)
  await find({}, outside.withoutKeys)

  expect(await videos()).toEqual({ 0: 'v discogs' })
  expect(outside.discogs.requests).toHaveLength(3)
})

test('catalogue-9, catalogue-21: a doubtful video at Discogs is stored with its reason, after those that qualify', async () => {
  await addWithMasters(1)
  const doubtful = [1, 2, 3, 4, 5].map((n) => atDiscogs(`long${n}`, nameOf(0), { duration: 600 }))
  const other = [atDiscogs('live', `${nameOf(0)} (Live)`), atDiscogs('track', 'Artist of 0 - Track')]
  outside.discogs.know('masters/0', [...other, ...doubtful, atDiscogs('good', nameOf(0), { duration: 182 })])
  await find({}, outside.withoutKeys)

  expect(await videos()).toEqual({ 0: 'good discogs' })
  expect(await db`select refusal from video_candidates order by refusal`.values()).toEqual([
    ...Array(4).fill(['length differs']),
    [null],
  ])
})

/** Songs of three minutes with a recording: 'Song NAME' by 'Artist of NAME'. */
async function add(...names: string[]): Promise<void> {
  const { id } = await makeMicrogenre(db, 0)
  const rows = names.map((name, seq) => ({ key: name, seq, mbid: mbidOf(name) }))
  await db`
    insert into songs (key, source, microgenre_id, seq, title, artist, duration_ms, recording_mbid)
    select key, 'import', ${id}, seq, 'Song ' || key, 'Artist of ' || key, 180000, mbid
    from jsonb_to_recordset(${db.json(rows)}) as i (key text, seq int, mbid text) order by seq`
}

/** Songs '0', '1' …, each on a release whose group has the master of this number at Discogs. */
async function addWithMasters(count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, n) => String(n))
  await add(...names)
  for (const n of names) {
    const release = { mbid: mbidOf(`release ${n}`), groupMbid: mbidOf(`group ${n}`), date: '1993' }
    const sampler = { mbid: mbidOf(`sampler ${n}`), date: '1990', secondaryTypes: ['Compilation'] }
    outside.musicbrainz.know({
      mbid: mbidOf(n),
      title: `Song ${n}`,
      artist: `Artist of ${n}`,
      artistMbid: mbidOf(`artist ${n}`),
      releases: [sampler, release],
    })
    outside.musicbrainz.link(mbidOf(`group ${n}`), { addresses: [`https://www.discogs.com/master/${n}`] })
  }
}

const nameOf = (n: number) => `Artist of ${n} - Song ${n}`
const nameAtDiscogs = (name: string, title: string, more = {}) => ({ uri: address(name), title, ...more })

/** Discogs names it, and YouTube has it. */
function atDiscogs(name: string, title: string, more = {}, its: Partial<KnownVideo> = {}) {
  addVideo(name, { title, ...its })
  return nameAtDiscogs(name, title, more)
}

/** YouTube has the video of this name: by default the song's, on its artist's channel. */
function addVideo(name: string, overrides: Partial<KnownVideo> = {}): void {
  outside.youtube.know(idOf(name), {
    title: `Artist of ${name} - Song ${name}`,
    channel: 'anyone',
    ...overrides,
  })
}

const idOf = (name: string) => name.padStart(11, '_').slice(-11)
const address = (name: string) => `https://www.youtube.com/watch?v=${idOf(name)}`

function mbidOf(name: string): string {
  const hex = Buffer.from(name).toString('hex').padStart(32, '0').slice(-32)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The name of each song's video, and what found it. */
async function videos(): Promise<Record<string, string>> {
  const rows = await db<{ key: string; videoId: string | null; source: string | null }[]>`
    select s.key, s.youtube_id as video_id, c.source from songs s
    left join video_candidates c on c.song_id = s.id and c.video_id = s.youtube_id and c.refusal is null
    where s.youtube_id is not null and s.youtube_id is distinct from s.blocked_video_id order by s.key`
  return Object.fromEntries(
    rows.map(({ key, videoId, source }) => [
      key,
      [videoId?.replace(/^_+/, ''), source].filter(Boolean).join(' '),
    ]),
  )
}

/** Why videos were refused, by song and video. */
async function refusals(): Promise<Record<string, string | null>> {
  const rows = await db<{ key: string; videoId: string; refusal: string | null }[]>`
    select s.key, c.video_id, c.refusal from video_candidates c join songs s on s.id = c.song_id
    where c.refusal is not null order by 1, 2`
  return Object.fromEntries(
    rows.map(({ key, videoId, refusal }) => [`${key} ${videoId.replace(/^_+/, '')}`, refusal]),
  )
}

/** What a run may change. Answers of YouTube are cached by a dry run too. */
async function readRows() {
  return [
    await db`select * from songs order by id`.values(),
    await db`select * from video_candidates order by song_id, video_id`.values(),
    await db`select provider, key, value from provider_cache where provider like 'video-%' order by 1, 2`.values(),
  ]
}

const requestsOf = () =>
  [outside.musicbrainz, outside.wikidata, outside.discogs, outside.youtube].map(
    ({ requests }) => requests.length,
  )

const find = (options: VideoOptions = {}, env = outside.env) =>
  findVideos(db, tool.services(env), { retry: FAST_RETRIES, ...options })
