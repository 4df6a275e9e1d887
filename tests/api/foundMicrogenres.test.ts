import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { listMicrogenreStats } from '../../contract/community.ts'
import { type DeskCase, decideCase, listCases, listDecisions, undoDecision } from '../../contract/desk.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { listRatings } from '../../contract/library.ts'
import { suggestSong } from '../../contract/suggestions.ts'
import { appointSteward } from '../../server/auth/accountRights.ts'
import { createGrow } from '../../server/catalogue/growth/growMicrogenre.ts'
import { findAllLowMicrogenres } from '../../server/catalogue/growth/growWhereLow.ts'
import { importSongs } from '../../server/catalogue/importSongs.ts'
import { readEnv } from '../../server/env.ts'
import { createMusicbrainz } from '../../server/integrations/musicbrainz.ts'
import { makeMicrogenre, nextSong, rate } from '../factories.ts'
import { PLAIN_PRODUCTION, setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { withConnection } from '../harness/testCluster.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'
import type { KnownRecording } from '../stand-ins/musicbrainz.ts'
import { startOutside } from '../stand-ins/outside.ts'

/* Microgenres that growth found, at the desk. */

const app = setUpApp()
const outside = setUpService(startOutside)
const steward = setUpService<Visitor>(() => app.signIn())

let genre: Awaited<ReturnType<typeof makeMicrogenre>>
beforeEach(async () => {
  outside.reset()
  await app.db`
    truncate songs, microgenres, song_candidates, found_microgenres, found_microgenre_songs, provider_cache, suggestions
    cascade`
  genre = await makeMicrogenre(app.db, 3)
})

test('catalogue-18: twelve songs by five artists make a genre of MusicBrainz a case, once', async () => {
  addMusic({ tag: 'dream gaze', songs: 12, artists: 4 })
  addMusic({ tag: 'night pop', songs: 11, artists: 11 })
  outside.musicbrainz.nameGenres('dream gaze', 'night pop')
  await grow()
  expect(await cases()).toEqual([])
  expect(outside.musicbrainz.requests).not.toContain('genres')

  addMusic({
    tag: 'dream gaze',
    songs: 1,
    artists: 1,
    overrides: { artist: 'A fifth', artistMbid: uuid(4e9) },
  })
  await forget()
  await grow()
  expect(await cases()).toMatchObject([
    {
      subject: 'microgenre',
      votes: 0,
      microgenre: {
        name: 'dream gaze',
        family: 'Made',
        near: genre.name,
        songs: 13,
        artists: 5,
      },
    },
  ])
  const [one] = await cases()
  const artists = one?.microgenre?.examples.map(({ artist }) => artist) ?? []
  expect([artists.length, new Set(artists).size]).toEqual([5, 5])
  expect(outside.musicbrainz.requests.filter((query) => query === 'genres')).toHaveLength(1)
  await forget('grow-musicbrainz')
  await grow()
  expect(await cases()).toHaveLength(1)
  expect(outside.musicbrainz.requests.filter((query) => query === 'genres')).toHaveLength(1)
})

test('catalogue-18: nonsense, other spellings, endless and hidden names are no cases', async () => {
  const hostile = [
    'seen live',
    genre.name.toUpperCase().replace(' ', '-'),
    genre.name.replace(' ', '\u200B '),
    'x'.repeat(10_000),
    'x'.repeat(61),
    'nul\0pop',
    '\u202Eevil',
    '\u200B',
    '\ud83d',
    "'; drop table songs",
    '<b>bold</b>',
  ]
  for (const tag of hostile) addMusic({ tag, songs: 12, artists: 12 })
  // Where another tag is stronger, or four are equal, none speaks.
  addMusic({ tag: 'weak pop', songs: 12, artists: 12, tags: { [genre.name]: 5, 'weak pop': 4 } })
  addMusic({ tag: 'one pop', songs: 12, artists: 12, tags: { 'one pop': 1, b: 1, c: 1, d: 1 } })
  // These could not be songs.
  addMusic({ tag: 'live pop', songs: 12, artists: 12, overrides: { title: 'Song (Live in Paris)' } })
  // The same song again and again.
  addMusic({ tag: 'same pop', songs: 12, artists: 12, overrides: { title: 'Same', artist: 'Somebody' } })
  outside.musicbrainz.nameGenres(
    ...['weak pop', 'one pop', 'live pop', 'same pop', 'real\u200B pop', 'x'.repeat(10_000), genre.name],
  )
  addMusic({ tag: 'ReAl-\u200Bpop', songs: 12, artists: 12 })
  outside.musicbrainz.nameGenres('real pop')
  await grow()
  expect((await cases()).map(({ microgenre }) => microgenre?.name)).toEqual(['real pop'])
})

test('catalogue-18: while MusicBrainz does not name its genres nothing is proposed; a later run does', async () => {
  addMusic({ tag: 'dream gaze', songs: 12, artists: 12 })
  await grow()
  expect(await cases()).toEqual([])
  outside.musicbrainz.nameGenres('dream gaze')
  await grow()
  expect(await cases()).toHaveLength(1)
})

test('catalogue-18: at most ten wait at a time, also after two runs at once', async () => {
  for (let n = 10; n < 22; n++) {
    addMusic({ tag: `pop ${n}`, songs: 12, artists: 12 })
    outside.musicbrainz.nameGenres(`pop ${n}`)
  }
  await Promise.all([grow(), grow()])
  expect(await cases()).toHaveLength(10)
  await grow()
  expect(await cases()).toHaveLength(10)
})

test('desk-26, desk-27: a found microgenre comes after suggestions of listeners, and is approved with another name and description', async () => {
  const ada = await app.signIn()
  const id = await createCase('dream gaze')
  const { body: requests } = await ada.call(suggestSong, {
    body: { microgenreId: genre.id, title: 'Asked For', artist: 'Somebody' },
  })
  const { cases: all } = (await steward.call(listCases, { query: {} })).body
  expect(all.map(({ subjectId }) => subjectId)).toEqual([requests.suggestion.id, id])
  expect(await listed()).not.toContain('Dreamgaze')

  const approved = await decide({ ...caseOf(id), action: 'approve', microgenre: WORDS })
  expect(approved).toMatchObject({
    status: 200,
    body: {
      label: 'Microgenre Dreamgaze',
      changes: [
        { field: 'name', before: 'dream gaze', after: 'Dreamgaze' },
        { field: 'description', before: null, after: WORDS.description },
      ],
    },
  })
  const microgenreId = (await ada.call(listMicrogenres, {})).body.find(({ name }) => name === 'Dreamgaze')
  expect(microgenreId).toMatchObject({
    family: 'Made',
    description: WORDS.description,
    mood: ['ambient'],
    songCount: 5,
    color: expect.stringMatching(/^#[0-9a-f]{6}$/),
  })
  expect(microgenreId?.color).not.toBe('#778899')
  expect((await nextSong(ada, microgenreId?.id ?? ''))?.microgenre).toBe('Dreamgaze')
  // It has few songs, so growth fills it.
  expect((await findAllLowMicrogenres(app.db)).map(({ name }) => name)).toContain('Dreamgaze')
  // Repeating the decision changes nothing; another steward gets a conflict.
  expect((await decide({ ...caseOf(id), action: 'approve', microgenre: WORDS })).body.id).toBe(
    approved.body.id,
  )
  const other = await app.signIn()
  expect(
    await decide({ ...caseOf(id), action: 'approve', microgenre: { ...WORDS, name: 'Other' } }, other),
  ).toMatchObject(refusal(409, 'Another steward has decided this case already.'))
  expect((await listed()).filter((name) => /dream/i.test(name))).toEqual(['Dreamgaze'])
})

test.each<[string, Partial<typeof WORDS> | null, number, string]>([
  ['no words', null, 400, 'microgenre: is missing'],
  ['an empty name', { name: ' \u200B ' }, 400, 'is missing'],
  ['an empty description', { description: '\u200B' }, 400, 'is missing'],
  ['an endless name', { name: 'x'.repeat(10_000) }, 400, 'at most 60'],
  ['an endless description', { description: 'x'.repeat(301) }, 400, 'at most 300'],
  ['a family that is none', { family: 'no such' }, 409, "There is no family 'no such'."],
  ['a name that is there', { name: 'TAKEN\u200B-name' }, 409, "There is a microgenre 'Taken name' already."],
])('desk-27: %s is refused, and nothing changes', async (_, words, status, message) => {
  const id = await createCase('dream gaze')
  await app.db`update microgenres set name = 'Taken name' where id = ${genre.id}`
  const before = await listed()
  const body = {
    ...caseOf(id),
    action: 'approve',
    ...(words && { microgenre: { ...WORDS, ...words } }),
  } as const
  const refused = await decide(body)
  expect(refused.status).toBe(status)
  expect(JSON.stringify(refused.body)).toContain(message)
  expect(await listed()).toEqual(before)
  expect(await cases()).toHaveLength(1)
})

test('desk-27: names of other scripts get a key and a colour of their own', async () => {
  for (const [tag, name] of [
    ['dream gaze', '夢ポップ'],
    ['night pop', '& & & & & & & & & & & & & & & & & & & & & & & & & & & & &'],
  ] as const) {
    const id = await createCase(tag)
    expect(await decide({ ...caseOf(id), action: 'approve', microgenre: { ...WORDS, name } })).toMatchObject({
      status: 200,
    })
  }
  const rows = await app.db<{ key: string; color: string }[]>`
    select m.key, m.color from microgenres m join found_microgenres f on f.microgenre_id = m.id`
  for (const { key } of rows) expect(key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  for (const { key } of rows) expect(key.length).toBeLessThanOrEqual(60)
  expect(new Set(rows.map(({ color }) => color)).size).toBe(2)
})

test('desk-28: undoing an approval removes the microgenre from every list, and undoing that restores it', async () => {
  const ada = await app.signIn()
  const id = await createCase('dream gaze')
  const approved = await decide({ ...caseOf(id), action: 'approve', microgenre: WORDS })
  const microgenreId = await idOf('Dreamgaze')
  const songs = async () =>
    (await ada.call(listMicrogenres, {})).body.find((m) => m.id === microgenreId)?.songCount
  expect(await songs()).toBe(5)

  const undone = await undo(approved.body.id)
  expect(undone).toMatchObject({ status: 200, body: { action: 'undo', canUndo: true } })
  expect(await songs()).toBeUndefined()
  expect((await ada.call(listMicrogenreStats, {})).body.map(({ name }) => name)).not.toContain('Dreamgaze')
  expect((await findAllLowMicrogenres(app.db)).map(({ name }) => name)).not.toContain('Dreamgaze')
  expect(await ada.call(suggestSong, { body: { microgenreId, title: 'A', artist: 'B' } })).toMatchObject({
    status: 404,
  })
  expect((await cases()).map(({ subjectId }) => subjectId)).toEqual([id])

  await undo(undone.body.id)
  expect(await songs()).toBe(5)
  expect(await cases()).toEqual([])
  const [, , first] = (await steward.call(listDecisions, { query: {} })).body
  expect(first?.id).toBe(approved.body.id)

  // Approved again with another name, it is the same microgenre.
  const again = await undo((await steward.call(listDecisions, { query: {} })).body[0]?.id ?? '')
  expect(again.status).toBe(200)
  const words = { ...WORDS, name: 'Dream Gaze' }
  expect(await decide({ ...caseOf(id), action: 'approve', microgenre: words })).toMatchObject({ status: 200 })
  expect(await idOf('Dream Gaze')).toBe(microgenreId)
  expect(await songs()).toBe(5)
})

test('desk-28: once a listener has rated one of its songs, only an operator removes or renames a microgenre', async () => {
  const [bob, named] = [await app.signIn(), await app.signIn()]
  await appointSteward(app.db, named.id)
  const strict = named.at((await app.another(PLAIN_PRODUCTION)).url)
  const id = await createCase('dream gaze')
  const approved = await decide({ ...caseOf(id), action: 'approve', microgenre: WORDS }, strict)
  const microgenreId = await idOf('Dreamgaze')
  const rated = (await nextSong(bob, microgenreId))?.id ?? ''
  await rate(bob, microgenreId, rated)
  const params = { params: { id: approved.body.id } }

  expect(await strict.call(undoDecision, params)).toMatchObject(
    refusal(409, 'Listeners have rated songs of this microgenre. Only an operator retires it.'),
  )
  expect(await listed()).toContain('Dreamgaze')
  expect((await undo(approved.body.id)).status).toBe(200)
  expect(await listed()).not.toContain('Dreamgaze')
  const library = async () => (await bob.call(listRatings, {})).body.map(({ song }) => song.id)
  expect(await library()).toEqual([rated])

  await decide({ ...caseOf(id), action: 'approve', microgenre: { ...WORDS, name: 'Fogwave' } })
  expect(await idOf('Fogwave')).toBe(microgenreId)
  expect(await listed()).toContain('Fogwave')
  expect((await nextSong(bob, microgenreId))?.microgenre).toBe('Fogwave')
  expect(await library()).toEqual([rated])
})

test('desk-28: importing songs for a microgenre whose approval was undone restores it', async () => {
  const id = await createCase('dream gaze')
  await undo((await decide({ ...caseOf(id), action: 'approve', microgenre: WORDS })).body.id)
  expect(await listed()).not.toContain('Dreamgaze')
  async function* rows() {
    yield { line: 1, cells: { title: 'Imported', artist: 'Somebody', microgenre: 'dreamgaze' } }
  }
  await withConnection(app.target, (db) => importSongs(db, rows()))
  expect((await nextSong(steward, await idOf('Dreamgaze')))?.title).toBe('Imported')
  expect(await listed()).toContain('Dreamgaze')
  expect(await decide({ ...caseOf(id), action: 'approve', microgenre: WORDS })).toMatchObject(
    refusal(409, 'This microgenre is already restored.'),
  )
})

test('desk-27: a genre whose songs are all here already is refused', async () => {
  const id = await createCase('dream gaze')
  await app.db`
    insert into songs (key, source, microgenre_id, seq, title, artist, recording_mbid)
    select 'known-' || row_number() over (), 'import', ${genre.id}, 2 + row_number() over (), title, artist,
      recording_mbid
    from found_microgenre_songs where genre_key = 'dreamgaze'`
  expect(await decide({ ...caseOf(id), action: 'approve', microgenre: WORDS })).toMatchObject(
    refusal(409, 'All of its songs are here already, so nothing would be left for it.'),
  )
  expect(await listed()).not.toContain('Dreamgaze')
})

test('desk-28: a rejected one is never proposed again, and its undo brings the case back', async () => {
  const id = await createCase('dream gaze')
  const rejected = await decide({ ...caseOf(id), action: 'reject' })
  expect(rejected).toMatchObject({ status: 200, body: { label: 'Microgenre dream gaze' } })
  addMusic({ tag: 'Dream-Gaze', songs: 20, artists: 20 })
  await forget()
  await grow()
  expect(await cases()).toEqual([])
  const undone = await undo(rejected.body.id)
  expect((await cases()).map(({ subjectId }) => subjectId)).toEqual([id])
  await undo(undone.body.id)
  expect(await cases()).toEqual([])
})

test('desk-27: actions that do not apply to a microgenre are refused', async () => {
  const id = await createCase('dream gaze')
  for (const action of ['correct', 'merge', 'retire', 'block', 'dismiss'] as const)
    expect(await decide({ ...caseOf(id), action })).toMatchObject({ status: 400 })
  expect(await decide({ ...caseOf('999999'), action: 'reject' })).toMatchObject({ status: 404 })
})

const WORDS = { name: 'Dreamgaze', family: 'Made', description: 'Guitars like fog over slow machines.' }

const caseOf = (subjectId: string) => ({ subject: 'microgenre', subjectId }) as const

let recordingCount = 0

interface Music {
  tag: string
  songs: number
  artists: number
  tags?: Record<string, number>
  overrides?: Partial<KnownRecording>
}

/** Recordings that the search for the microgenre's tag finds, because a longer tag of theirs contains it. */
function addMusic({ tag, songs, artists, tags = { [tag]: 2 }, overrides }: Music): void {
  for (let n = 0; n < songs; n++) {
    const number = ++recordingCount
    outside.musicbrainz.know({
      mbid: uuid(number),
      title: `Song ${number}`,
      artist: `Artist ${tag.slice(0, 20)} ${n % artists}`,
      artistMbid: uuid(hash(tag) * 1000 + (n % artists)),
      lengthMs: 200_000,
      tags: { [`${genre.name} revival`]: 1, ...tags },
      releases: [{ mbid: uuid(number), date: '1994-05-01' }],
      ...overrides,
    })
  }
}

const uuid = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000001`
const hash = (text: string) =>
  [...text].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1e6, 7)

/** A case about this genre. */
async function createCase(tag: string): Promise<string> {
  addMusic({ tag, songs: 12, artists: 12 })
  outside.musicbrainz.nameGenres(tag)
  await forget()
  await grow()
  const id = (await cases()).find(({ microgenre }) => microgenre?.name === tag)?.subjectId
  if (!id) throw new Error(`There is no case about ${tag}.`)
  return id
}

/** Answers of the sources expire. */
const forget = (provider = '%') => app.db`delete from provider_cache where provider like ${provider}`

async function grow(): Promise<void> {
  const env = readEnv({ NODE_ENV: 'test', ...outside.env })
  const musicbrainz = createMusicbrainz(env, pino({ level: 'silent' }), app.db)
  const growing = createGrow(
    app.db,
    env,
    { listenbrainz: null, musicbrainz },
    { retry: { pause: 20, tries: 2 } },
  )
  await growing(genre)
}

async function cases(): Promise<DeskCase[]> {
  const { body } = await steward.call(listCases, { query: {} })
  return body.cases.filter(({ subject }) => subject === 'microgenre')
}

const decide = (body: BodyOf<typeof decideCase>, who = steward) => who.call(decideCase, { body })
const undo = (id: string) => steward.call(undoDecision, { params: { id } })
const listed = async () => (await steward.call(listMicrogenres, {})).body.map(({ name }) => name)

async function idOf(name: string): Promise<string> {
  const [row] = await app.db<{ id: string }[]>`select id from microgenres where name = ${name}`
  return row?.id ?? ''
}
