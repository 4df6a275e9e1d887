import { beforeEach, expect, test } from 'vitest'
import { createGrow, type GrowOptions } from '../../server/catalogue/growth/growMicrogenre.ts'
import { type MadeMicrogenre, makeMicrogenre } from '../factories.ts'
import { CatalogueTool, FAST_RETRIES } from '../harness/CatalogueTool.ts'
import { tableContents } from '../harness/tableContents.ts'
import { TEST_ALL } from '../harness/tier.ts'
import { recordingId, type TaggedMusic, tagMusic } from '../stand-ins/wordIndex.ts'

/* `npm run catalogue -- grow`, against stand-ins that name live takes, karaoke, the same song twice and worse. */

const tool = new CatalogueTool()
const { outside, db } = tool

beforeEach(async () => {
  outside.reset()
  await db`truncate songs, microgenres, song_candidates, provider_cache, suggestions cascade`
})

/** Recordings of one artist, whose name is spelled in several ways. */
function recordingByFive(title: string, artist = 'The Five'): TaggedMusic {
  return { recording: { title, artist, artistMbid: recordingId(900) } }
}

/** The recordings that services return, and the outcome of each. */
const HOSTILE: [result: string, what: string, music: TaggedMusic][] = [
  ['added', 'the recording and its artist have the tag', {}],
  ['added', 'the recording and its release have it', { radio: ['release-group'] }],
  ['added', 'its artist is in the microgenre already', { radio: [], recording: { artist: 'Artist 1' } }],
  [
    'added',
    'release, artist and the artist’s other song',
    { radio: ['release-group', 'artist'], recording: { tags: {}, artist: 'ARTIST 2' } },
  ],
  ['added', 'invisible characters in its name', { recording: { title: 'Plain\u202E\u200B Words' } }],
  ['at the desk', 'only the recording has the tag', { radio: [] }],
  ['at the desk', 'release and artist', { radio: ['release-group', 'artist'], recording: { tags: {} } }],
  ['at the desk', 'an unknown length', { recording: { lengthMs: null } }],
  ['at the desk', 'two artists of one name', { recording: { artist: 'Namesakes' } }],
  ['at the desk', 'the other one of them', { recording: { artist: 'NAMÉSAKES' } }],
  ['open', 'only the artist has the tag', { recording: { tags: {} } }],
  ['open', 'its own tag was taken back', { recording: { tags: { TAG: 0 } } }],
  ['open', 'another tag contains this one', { recording: { tags: { 'TAG revival': 3 } } }],
  ['unknown', 'MusicBrainz does not know it any more', { isGone: true }],
  ['other version', 'a live take', { recording: { title: 'Song (Live in Paris)' } }],
  [
    'other version',
    'a live take that its title hides',
    { recording: { disambiguation: 'live, 1999-01-01' } },
  ],
  ['other version', 'a live take without brackets', { recording: { title: 'Song Live at the Roxy' } }],
  ['other version', 'a remix', { recording: { title: 'Song - Somebody Remix' } }],
  ['other version', 'karaoke', { recording: { title: 'Song (Karaoke Version)' } }],
  ['other version', 'a karaoke singer', { recording: { artist: 'Karaoke Kings' } }],
  ['other version', 'an imitation', { recording: { title: 'Song In the Style of Somebody' } }],
  ['other version', 'a demo', { recording: { disambiguation: 'demo' } }],
  ['no song', 'a video', { recording: { isVideo: true } }],
  ['no song', 'silence', { recording: { title: '[silence]' } }],
  ['no song', 'a title of 10,000 characters', { recording: { title: 'x'.repeat(10_000) } }],
  ['no song', 'half a character', { recording: { title: 'Half \ud83d' } }],
  [
    'no record',
    'only on a sampler',
    { recording: { releases: [{ mbid: recordingId(1), isVarious: true }] } },
  ],
  [
    'no record',
    'only on a compilation',
    { recording: { releases: [{ mbid: recordingId(1), secondaryTypes: ['Compilation'] }] } },
  ],
  [
    'no record',
    'only on a live record',
    { recording: { releases: [{ mbid: recordingId(1), secondaryTypes: ['Live'] }] } },
  ],
  ['no record', 'a bootleg', { recording: { releases: [{ mbid: recordingId(1), status: 'Bootleg' }] } }],
  ['no record', 'on no record at all', { recording: { releases: [] } }],
  ['length', 'a skit', { recording: { lengthMs: 89_000 } }],
  ['length', 'a whole set', { recording: { lengthMs: 721_000 } }],
  ['added', 'a song', recordingByFive('Été & Now')],
  ['here already', 'the same in capitals', recordingByFive('ÉTÉ & NOW', 'THE FIVE')],
  ['here already', 'without accents', recordingByFive('Ete and Now', 'Five')],
  ['here already', 'with a guest', recordingByFive('Été & Now (feat. Six)')],
  ['here already', 'mastered again', recordingByFive('Été & Now (Remastered 2009)')],
  ['here already', 'with a subtitle', recordingByFive('Été & Now (Then)', 'The Five feat. Six')],
  ['here already', 'a song of the microgenre', { recording: { title: 'SONG 3', artist: 'artist 3' } }],
  ['here already', 'a retired song', { recording: { title: 'Song 4', artist: 'Artist 4' } }],
  ['here already', 'a song of another microgenre', { recording: { title: 'Elsewhere', artist: 'Somebody' } }],
  ['rejected', 'a song that a steward rejected', { recording: { title: 'Rejected', artist: 'Somebody' } }],
  ['at the desk already', 'a song that listeners ask for', { recording: { title: 'Wanted', artist: 'Ann' } }],
]

test('catalogue-11, catalogue-12, catalogue-13: hostile sources add what two of them agree on, and nothing else', async () => {
  const genre = await makeMicrogenre(db, 6)
  const other = await makeMicrogenre(db, 1)
  await db`update songs set title = 'Elsewhere', artist = 'Somebody' where id = ${other.songs[0] ?? ''}`
  await db`update songs set retired_at = now() where id = ${genre.songs[4] ?? ''}`
  await db`update microgenres set live_song_count = 5 where id = ${genre.id}`
  await db`
    insert into suggestions (song_key, title, artist, microgenre_id, state)
    values (E'somebody\nrejected', 'Rejected', 'Somebody', ${genre.id}, 'rejected'),
      (E'ann\nwanted', 'Wanted', 'Ann', ${genre.id}, 'waiting')`
  const tag = tagOf(genre)
  const named = (tags: Record<string, number> | undefined) =>
    tags && Object.fromEntries(Object.entries(tags).map(([name, n]) => [name.replace('TAG', tag), n]))
  tagMusic(
    outside,
    tag,
    HOSTILE.map(([, , { recording, ...music }]) => ({
      ...music,
      recording: { ...recording, ...(recording?.tags ? { tags: named(recording.tags) } : {}) },
    })),
  )
  const result = await grow(genre)

  const results = await resultsOf(genre)
  const wrong = HOSTILE.flatMap(([result, what], n) => {
    const expected = result === 'at the desk already' ? 'at the desk' : result
    return results[n] === expected ? [] : [`${what}: ${results[n]} and not ${expected}`]
  })
  expect(wrong).toEqual([])
  expect(result).toEqual({
    added: HOSTILE.filter(([result]) => result === 'added').length,
    proposed: HOSTILE.filter(([result]) => result === 'at the desk').length,
    isAnswered: true,
  })
  // New songs come at the end, as from an import, with what MusicBrainz knows of them.
  const songs = await db<{ title: string; seq: number; year: number; durationMs: number }[]>`
    select title, seq, year, duration_ms from songs
    where microgenre_id = ${genre.id} and recording_mbid is not null order by seq`
  expect(songs.map(({ seq }) => seq)).toEqual(songs.map((_, n) => 6 + n))
  expect(songs.find(({ title }) => title === 'Plain Words')).toMatchObject({
    year: 1994,
    durationMs: 204_000,
  })
  expect(await db`select from suggestions where found_score is not null`).toHaveLength(result.proposed)
})

test('for a tag with more recordings than one search returns, look-ups say which have the tag itself', async () => {
  const genre = await makeMicrogenre(db, 6)
  tagMusic(outside, tagOf(genre), many(305))

  expect(await grow(genre)).toMatchObject({ added: 305, isAnswered: true })
  const rest = [300, 301, 302, 303, 304].map(recordingId)
  const tag = `tag:"${tagOf(genre)}"`
  expect(outside.musicbrainz.requests).toEqual([tag, tag, tag, `rid:(${rest.join(' OR ')})`])
})

test('catalogue-15: a second run makes no requests and changes nothing', async () => {
  const genre = await makeMicrogenre(db, 6)
  tagMusic(outside, tagOf(genre), [...many(30), ...many(20).map(() => ({ radio: [] }))])
  const first = await grow(genre)
  expect(first).toMatchObject({ added: 30, proposed: 10 })
  const [requestCount, radios] = [outside.musicbrainz.requests.length, outside.listenbrainz.radios.length]
  const before = await tableContents(db)

  expect(await grow(genre)).toEqual({ added: 0, proposed: 0, isAnswered: true })
  expect([outside.musicbrainz.requests.length, outside.listenbrainz.radios.length]).toEqual([
    requestCount,
    radios,
  ])
  expect(await tableContents(db)).toEqual(before)
})

test('catalogue-14: an artist has at most three of twenty songs, existing ones included', async () => {
  const genre = await makeMicrogenre(db, 4)
  await db`update songs set artist = 'Ann' where id = any(${genre.songs.slice(0, 2)}::bigint[])`
  const byAnn = { recording: { artist: 'Ann', artistMbid: recordingId(999) } }
  tagMusic(
    outside,
    tagOf(genre),
    many(6).map(() => byAnn),
  )
  expect(await grow(genre)).toMatchObject({ added: 1, proposed: 0 })
  expect(await grow(genre)).toMatchObject({ added: 0, proposed: 0 })

  // Twenty-seven songs have room for a fourth one.
  tagMusic(outside, tagOf(genre), [...many(6).map(() => byAnn), ...many(21)])
  await db`delete from provider_cache`
  expect(await grow(genre)).toMatchObject({ added: 22 })
  const [share] = await db<{ songs: number }[]>`
    select count(*)::int as songs from songs where artist = 'Ann'`
  expect(share).toEqual({ songs: 4 })
})

test.each(TEST_ALL ? ['asks', 'adds'] : ['adds'])(
  'catalogue-15: after kill -9 while it %s, the next run goes on',
  async (when) => {
    const genre = await makeMicrogenre(db, 6)
    tagMusic(
      outside,
      tagOf(genre),
      many(250).map(() => ({ radio: ['recording', 'artist'], recording: { tags: {} } })),
    )
    if (when === 'asks') outside.musicbrainz.hangAfter(4)
    const { child, programEnd } = tool.start(['grow', '--microgenre', genre.name])
    await expect
      .poll(async () => (when === 'asks' ? outside.musicbrainz.requests.length - 4 : countAdded()), {
        timeout: 60_000,
        interval: 5,
      })
      .toBeGreaterThan(0)
    child.kill('SIGKILL')
    expect(await programEnd).toMatchObject({ code: null })
    const requestsBefore = outside.musicbrainz.requests.slice(0, when === 'asks' ? 4 : undefined)

    outside.musicbrainz.hangAfter(Number.POSITIVE_INFINITY)
    outside.musicbrainz.requests.length = 0
    const ran = await tool.run(['grow', '--microgenre', genre.name])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(outside.musicbrainz.requests.filter((query) => requestsBefore.includes(query))).toEqual([])
    expect(outside.listenbrainz.radios).toHaveLength(1)
    expect(await countAdded()).toBe(250)
    const [{ songCount = 0, live = 0 } = {}] = await db<{ songCount: number; live: number }[]>`
    select song_count, live_song_count as live from microgenres where id = ${genre.id}`
    expect([songCount, live]).toEqual([256, 256])
  },
)

test('two programs at once add each song once', async () => {
  const genre = await makeMicrogenre(db, 6)
  tagMusic(outside, tagOf(genre), [...many(40), ...many(15).map(() => ({ radio: [] }))])
  const ran = await Promise.all([1, 2].map(() => tool.run(['grow', '--microgenre', genre.name])))

  expect(ran).toMatchObject([{ code: 0 }, { code: 0 }])
  expect(await countAdded()).toBe(40)
  const [desk] = await db<{ waiting: number }[]>`
    select count(*)::int as waiting from suggestions where state = 'waiting'`
  expect(desk?.waiting).toBeGreaterThanOrEqual(10)
  expect(desk?.waiting).toBeLessThanOrEqual(15)
})

test.each(['gone', 'wrong'] as const)(
  'while MusicBrainz is %s nothing is decided, and the next run continues',
  async (behaviour) => {
    const genre = await makeMicrogenre(db, 6)
    tagMusic(outside, tagOf(genre), many(3))
    outside.musicbrainz.behave(behaviour)
    expect(await grow(genre)).toEqual({ added: 0, proposed: 0, isAnswered: false })
    expect(await resultsOf(genre)).toEqual(['open', 'open', 'open'])

    outside.musicbrainz.behave('ok')
    expect(await grow(genre)).toEqual({ added: 3, proposed: 0, isAnswered: true })
  },
)

test('without a token of ListenBrainz the program says what is missing, and asks MusicBrainz alone', async () => {
  const genre = await makeMicrogenre(db, 6)
  tagMusic(outside, tagOf(genre), [{ recording: { artist: 'Artist 1' } }, {}])
  const ran = await tool.run(['grow', '--microgenre', genre.name.toUpperCase()], outside.withoutKeys)

  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('LISTENBRAINZ_TOKEN is not set, so ListenBrainz is not asked')
  expect(ran.stdout).toContain(`${genre.name}: 1 song added, 1 suggested to the desk.\n`)
  expect(outside.listenbrainz.radios).toEqual([])
  expect(await tool.run(['grow'], { ...outside.env, LISTENBRAINZ_TOKEN: 'wrong' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^ListenBrainz rejects LISTENBRAINZ_TOKEN/),
  })
})

test('a dry run reports what would be added and changes nothing; a limit leaves the rest for later', async () => {
  const genre = await makeMicrogenre(db, 6)
  tagMusic(outside, tagOf(genre), [...many(5), { radio: [] }])
  const before = await tableContents(db)
  const dry = await tool.run(['grow', '--dry-run', '--report', 'dry.tsv'])

  expect(dry).toMatchObject({ code: 0, stderr: '' })
  expect(dry.stdout).toContain('Went through 1 of 1 microgenre: 5 songs added, 1 suggested to the desk.\n')
  expect(dry.stdout).toContain('Nothing was changed.')
  expect(await tableContents(db)).toEqual(before)

  const limited = await tool.run(['grow', '--limit', '2'])
  expect(limited.stdout).toContain(
    'Went through 1 of 1 microgenre: 2 songs added, 1 suggested to the desk.\n',
  )
  const rest = await tool.run(['grow', '--report', 'rest.tsv'])
  expect(rest.stdout).toContain('Went through 1 of 1 microgenre: 3 songs added, 0 suggested to the desk.\n')
  expect(tool.read('rest.tsv')).toBe(tool.read('dry.tsv'))
  expect(tool.read('rest.tsv').split('\n').slice(0, 2)).toEqual([
    'microgenre\trecording_mbid\tartist\ttitle\ttagged\tscore\tresult\tdetail',
    `${genre.name.toLowerCase().replace(' ', '-')}\t${recordingId(0)}\tThe Cobalt Makers 0\tAmber 0\tartist, recording\t80\tadded\t`,
  ])
})

test('invalid arguments are refused', async () => {
  await makeMicrogenre(db, 1)
  expect(await tool.run(['grow', '--limit', 'all'])).toMatchObject({
    code: 2,
    stderr: '--limit must be a number from 1 on.\n',
  })
  expect(await tool.run(['grow', '--microgenre', 'no such thing'])).toMatchObject({
    code: 1,
    stderr: "There is no microgenre 'no such thing'.\n",
  })
})

const many = (count: number): TaggedMusic[] => Array.from({ length: count }, () => ({}))

const tagOf = ({ name }: MadeMicrogenre) => name.toLowerCase()

async function countAdded(): Promise<number> {
  const [row] = await db<{ songs: number }[]>`
    select count(*)::int as songs from songs where recording_mbid is not null`
  return row?.songs ?? 0
}

/** The outcome of each recording, in the order of the music. */
async function resultsOf({ id }: MadeMicrogenre): Promise<string[]> {
  const rows = await db<{ result: string }[]>`
    select case when song_id is not null then 'added' when suggestion_id is not null then 'at the desk'
      else coalesce(refusal, 'open') end as result
    from song_candidates where microgenre_id = ${id} order by recording_mbid`
  return rows.map(({ result }) => result)
}

const grow = (genre: MadeMicrogenre, options: GrowOptions = {}) =>
  createGrow(db, tool.env(), tool.services(), { retry: FAST_RETRIES, ...options })(genre)
