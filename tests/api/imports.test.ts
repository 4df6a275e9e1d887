import { beforeAll, expect, test } from 'vitest'
import { createCollection, listCollections } from '../../contract/collections.ts'
import {
  answerImportSong,
  applyImport,
  createImport,
  getImport,
  type Heap,
  type Import,
  listImportSongs,
  listImports,
  MAX_IMPORT_BYTES,
  MAX_OPEN_IMPORTS,
  MAX_WHOLE_IMPORT_BYTES,
  removeImport,
} from '../../contract/imports.ts'
import { listRatings } from '../../contract/library.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import { createMultipart, getUploadParameters, MIN_PART_BYTES } from '../../contract/uploads.ts'
import { runImports } from '../../server/imports/runImports.ts'
import { sweepImports } from '../../server/imports/sweepImports.ts'
import { trimSongs } from '../../server/imports/writeSongs.ts'
import { createLog } from '../../server/process/log.ts'
import { sweepUploads } from '../../server/uploads/discardUpload.ts'
import { rate } from '../factories.ts'
import { complete, sendPart, uploadImport } from '../harness/multipart.ts'
import { setUpApp, setUpListener, type TestApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import type { Visitor } from '../harness/visitor.ts'
import { startS3 } from '../stand-ins/s3.ts'

/* Files that people bring from elsewhere: upload, dry run, cancel and retention (imports-10 to 19). */

const standIn = setUpService(startS3)
const app = setUpApp()
const ada = setUpListener(app)
const logged: string[] = []

const contextOf = (each: TestApp) => ({
  db: each.db,
  log: createLog('debug', { write: (line) => void logged.push(line) }),
  integrations: { store: each.store },
})
const run = (signal = AbortSignal.timeout(60_000), each = app) => runImports(contextOf(each), signal)

beforeAll(async () => {
  await app.db`
    with g as (
      insert into microgenres (key, name, family, description, color, energy, vocals, familiarity, mood, song_count, live_song_count)
      select k, k, 'Made', 'One. Two.', '#778899', '{slow}', '{vocal}', '{indie}', '{ambient}', 20, 20
      from unnest('{Dusk,Dawn}'::text[]) k returning id, key)
    insert into songs (key, source, microgenre_id, seq, title, artist, spotify_id, youtube_id, isrc, recording_mbid)
    select g.key || v.seq, 'import', g.id, v.seq, v.title, v.artist, v.spotify, v.youtube, v.isrc, v.mbid
    from (values
      ('Dusk', 0, 'Paper Lanterns', 'The Glass Harbours', ${SPOTIFY}, null, 'XXAAA2500001', null),
      ('Dusk', 1, 'Slow Tide', 'Björk & Nils', null, 'aaaaaaaaaaa', null, ${MBID}),
      ('Dusk', 2, 'Night Bus (Club Mix)', 'Mira', null, null, 'XXAAA2500002', null),
      ('Dusk', 3, 'Twice', 'Anyone', null, null, 'XXAAA2500003', null),
      ('Dusk', 4, 'Harbour feat. Lena (Nils Remix)', 'Mira', null, null, null, null),
      ('Dawn', 0, 'Twice', 'Anyone', null, null, 'XXAAA2500003', null),
      ('Dawn', 1, 'Gone', 'Anyone', null, null, null, null)) v (genre, seq, title, artist, spotify, youtube, isrc, mbid)
    join g on g.key = v.genre`
  await app.db`update songs set retired_at = now() where key = 'Dawn1'`
})

const SPOTIFY = '0aAaAaAaAaAaAaAaAaAaAa'
const MBID = '11111111-1111-4111-8111-111111111111'

/** Our own data, which can say everything. */
const dataOf = (ratings: object[], collections: object[] = []) =>
  JSON.stringify({
    ratings: ratings.map((each) => ({ rating: 'banger', ratedAt: '2025-02-28T10:00:00.000Z', ...each })),
    collections,
  })

const TWICE = dataOf([{ title: 'Twice', artist: 'Anyone' }])

const plays = (count: number, title: (n: number) => string) =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      ...{ ts: '2025-03-01T20:15:31Z', ms_played: 214_000, ip_addr: '203.0.113.7', spotify_track_uri: null },
      ...{ master_metadata_track_name: title(n), master_metadata_album_artist_name: 'Björk and Nils' },
    })),
  )

const MANY_PLAYS = plays(22_000, (n) => `Song ${n}`)

async function bring(listener: Visitor, content: string): Promise<Import> {
  const { key } = await uploadImport(listener, content)
  const { status, body } = await listener.call(createImport, { body: { key } })
  expect(status).toBe(200)
  return body
}

const read = async (listener: Visitor, { id }: Import) =>
  (await listener.call(getImport, { params: { id } })).body

/** The dry run of a file. */
async function dryRun(content: string): Promise<Import> {
  const made = await bring(ada, content)
  await run()
  return read(ada, made)
}

const waitUntilRead = (listener: Visitor, made: Import) =>
  expect.poll(async () => (await read(listener, made)).status, { timeout: 60_000 }).toBe('reading')

const listHeap = async ({ id }: Import, heap: Heap) =>
  (await ada.call(listImportSongs, { params: { id }, query: { heap } })).body

async function songsOf(made: Import): Promise<string[]> {
  const songs: string[] = []
  for (const heap of ['known', 'doubtful', 'unknown'] as const)
    for (const { title, artist, song } of await listHeap(made, heap))
      songs.push(`${title},${artist} > ${heap} ${song?.title ?? ''}`.trim())
  return songs.sort()
}

/** Rows of files and imports that are there. */
const leftovers = async ({ key }: { key: string | null }, { db, store } = app) => [
  (await db`select from uploads where key = ${key} and discarded_at is null`).length,
  await store.measure(key ?? ''),
]

test('imports-10: a file is read into heaps for a dry run, in which nothing is rated, and deleted', async () => {
  const made = await bring(
    ada,
    dataOf([
      { title: 'Paper  lanterns', artist: 'glass harbours' },
      { title: 'Paper Lanterns', artist: 'The Glass Harbours', ratedAt: '2024-01-01T00:00:00.000Z' },
      { title: 'Night Bus', artist: 'Mira', rating: 'bust' },
      { title: 'Elsewhere', artist: 'Nobody', youtubeId: 'bbbbbbbbbbb' },
    ]),
  )
  expect(made).toMatchObject({ status: 'waiting', fileName: 'export.json', heaps: { known: 0 } })
  await run()
  const done = await read(ada, made)

  expect(done).toMatchObject({
    ...{ status: 'ready', key: null, sources: ['Banger or Bust, data'], bangers: 1, busts: 0 },
    heaps: { known: 1, doubtful: 1, unknown: 1 },
    progress: { rows: 4, bytes: done.progress.size },
  })
  expect(await listHeap(made, 'known')).toMatchObject([
    { verdict: 'banger', at: '2024-01-01T00:00:00.000Z', song: { microgenre: 'Dusk' } },
  ])
  expect(await listHeap(made, 'unknown')).toMatchObject([
    { song: null, address: 'https://www.youtube.com/watch?v=bbbbbbbbbbb' },
  ])
  expect(await leftovers(made)).toEqual([0, null])
  expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
})

test('uploads-7: files of more than 100 MB are sent in parts to a bucket, several at a time, each of at most 500 MB', async () => {
  const there = await app.another(standIn.env)
  const listener = ada.at(there.url)
  const name = { filename: 'a.zip', purpose: 'import' } as const
  const whole = { ...name, size: String(MAX_WHOLE_IMPORT_BYTES + 1) }
  expect((await listener.call(getUploadParameters, { query: whole })).status).toBe(413)
  const begin = async (size: number) => listener.call(createMultipart, { body: { ...name, size } })
  expect((await begin(MAX_IMPORT_BYTES + 1)).status).toBe(413)
  for (const less of [0, 0, 0, 1_000_000]) expect((await begin(MAX_IMPORT_BYTES - less)).status).toBe(200)
  const content = Buffer.from(plays(30_000, () => 'Slow Tide'))
  expect((await begin(content.length)).status).toBe(413)
  // Those that were left behind make way after an hour.
  await app.db`update uploads set expires_at = expires_at - interval '1 hour' where user_id = ${ada.id}`
  const upload = (await begin(content.length)).body
  const etags = [
    await sendPart(listener, upload, 1, content.subarray(0, MIN_PART_BYTES)),
    await sendPart(listener, upload, 2, content.subarray(MIN_PART_BYTES)),
  ]
  expect((await complete(listener, upload, etags)).status).toBe(200)
  const made = (await listener.call(createImport, { body: { key: upload.key } })).body
  await run(undefined, there)

  expect(await read(listener, made)).toMatchObject({ status: 'ready', plays: 1, heaps: { known: 1 } })
  expect(await leftovers(made, there)).toEqual([0, null])
})

test('imports-12: ids come first, then names; what only nearly fits is doubtful, never sure', async () => {
  const songs = [
    `Wrong name,Somebody,,${SPOTIFY} > known Paper Lanterns`,
    'Slow Tide,Bjork,, > doubtful Slow Tide',
    'Slow Tide,Björk & Nils,, > known Slow Tide',
    'Slow Tide - Live at Home,Björk & Nils,, > doubtful Slow Tide',
    'Slow Tide (Unofficial Remix),Björk & Nils,, > doubtful Slow Tide',
    'Slow Tide,Quite Another,, > unknown',
    'Night Bus,Mira,, > doubtful Night Bus (Club Mix)',
    'Night Bus (Club Mix),Mira,, > known Night Bus (Club Mix)',
    'Anything,Anybody,XXAAA2500002, > doubtful Night Bus (Club Mix)',
    'Twice,Somebody,XXAAA2500003, > doubtful Twice',
    'Gone,Anyone,, > unknown',
    'Harbour (Nils Remix) [ft. Lena],Mira,, > known Harbour feat. Lena (Nils Remix)',
    'Harbour feat. Lena (Otto Remix),Mira,, > doubtful Harbour feat. Lena (Nils Remix)',
    'Harbour (feat. Lena),Mira,, > doubtful Harbour feat. Lena (Nils Remix)',
  ].map((song) => song.split(' > '))
  const made = await dryRun(['title,artist,isrc,spotify', ...songs.map(([row]) => row)].join('\n'))

  expect(await songsOf(made)).toEqual(
    songs.map(([row, match]) => `${row?.split(',', 2).join()} > ${match}`).sort(),
  )
})

test('imports-10: of videos without a name only those of the catalogue are kept', async () => {
  const made = await dryRun('Video ID,Time Added\naaaaaaaaaaa,2025-05-01\nbbbbbbbbbbB,2025-05-01\n')

  expect(await songsOf(made)).toEqual([', > known Slow Tide'])
  expect(made).toMatchObject({ leftOut: { 'no name': 1 }, progress: { rows: 2 } })
})

test('imports-12, imports-13: a microgenre decides between two songs, the listener between doubtful ones', async () => {
  const twice = { title: 'Twice', artist: 'Anyone', rating: 'bust', microgenre: 'Dawn' }
  const made = await dryRun(dataOf([{ title: 'Night Bus', artist: 'Mira' }, twice]))
  expect(await listHeap(made, 'known')).toMatchObject([{ song: { microgenre: 'Dawn' } }])
  const [song] = await listHeap(made, 'doubtful')
  const params = { id: made.id, place: String(song?.place) }
  expect(made.bangers).toBe(0)
  await ada.call(answerImportSong, { params, body: { isSame: true } })

  expect((await read(ada, made)).bangers).toBe(1)
  const answer = async (listener: Visitor, place: string) =>
    (await listener.call(answerImportSong, { params: { ...params, place }, body: { isSame: false } })).status
  expect(await answer(ada, '999')).toBe(409)
  expect(await answer(await app.signIn(), params.place)).toBe(404)
})

test('imports-11: what a killed process began is read again from the start, by one of two processes, three times', async () => {
  const made = await bring(ada, TWICE)
  const killer = await bring(ada, TWICE)
  await app.db`
    update imports set status = 'reading', updated_at = now() - interval '16 seconds',
      tries = case id when ${made.id} then 2 else 3 end
    where id = any(${[made.id, killer.id]}::bigint[])`
  await app.db`
    insert into import_songs (import_id, place, heap, key, title, artist)
    values (${made.id}, 7, 'unknown', 'left', 'Left', 'Over')`
  await Promise.all([run(), run()])

  expect(await read(ada, made)).toMatchObject({ status: 'ready', heaps: { known: 1, unknown: 0 } })
  expect((await read(ada, killer)).error).toContain('three times')
  expect(await leftovers(killer)).toEqual([0, null])
})

test('imports-11: a listener with many files lets others go first', async () => {
  const [bob, eve] = [await app.signIn(), await app.signIn()]
  for (const listener of [bob, bob, bob, eve]) await bring(listener, TWICE)
  await run()

  const order = await app.db<{ userId: string }[]>`
    select user_id from imports where user_id in (${bob.id}, ${eve.id}) order by updated_at`
  expect(order.map(({ userId }) => userId)).toEqual([bob.id, eve.id, bob.id, bob.id])
})

test('imports-11: a server that stops leaves an import to others at once, and cancelling ends it within a second', async () => {
  const made = await bring(ada, MANY_PLAYS)
  const stop = new AbortController()
  const stopped = run(stop.signal)
  await waitUntilRead(ada, made)
  stop.abort()
  await stopped
  expect((await read(ada, made)).status).toBe('reading')
  const again = run()
  await waitUntilRead(ada, made)
  expect((await ada.call(removeImport, { params: { id: made.id } })).body).toBeNull()
  const removedAt = performance.now()
  await again

  expect(performance.now() - removedAt).toBeLessThan(1500)
  expect((await ada.call(getImport, { params: { id: made.id } })).status).toBe(404)
  expect(await leftovers(made)).toEqual([0, null])
  expect(await app.db`select from import_songs where import_id = ${made.id}`).toHaveLength(0)
})

test('imports-11: what fails for a reason outside is tried again, but not at once, however often', async () => {
  const made = await bring(ada, TWICE)
  const store = {
    withFile: async (key: string, work: (file: string) => Promise<unknown>) => {
      await app.store.withFile(key, work)
      throw Object.assign(new Error('Down'), { code: '57014' })
    },
  }
  const broken = { ...contextOf(app), integrations: { store } }
  for (let n = 0; n < 3; n++) {
    await expect(runImports(broken as never, AbortSignal.timeout(60_000))).rejects.toThrow('Down')
    await run()
    expect((await read(ada, made)).status).toBe('reading')
    await app.db`update imports set updated_at = now() - interval '16 seconds' where id = ${made.id}`
  }
  await run()

  expect((await read(ada, made)).status).toBe('ready')
})

test('imports-11: the deletion of the account ends it, and takes all of it', async () => {
  const bob = await app.signIn()
  const made = await bring(bob, MANY_PLAYS)
  const reading = run()
  await waitUntilRead(bob, made)
  expect((await bob.call(deleteAccount, { body: { confirmation: bob.email } })).status).toBe(200)
  await reading
  await sweepUploads(app.db, app.store)

  expect(await app.db`select from imports where user_id = ${bob.id}`).toHaveLength(0)
  expect(await app.store.measure(made.key ?? '')).toBeNull()
})

test('imports-14: applying rates, makes collections again unless their name is taken, and is taken back by one call', async () => {
  await ada.call(createCollection, { body: { name: 'Mornings', isPublic: false } })
  const items = [{ microgenre: 'Dawn' }, { microgenre: 'Unknown' }, { microgenre: 'Dusk' }]
  const collections = ['Mornings', 'Evenings'].map((name) => ({ name, items }))
  const rated = { title: 'Slow Tide', artist: 'Björk & Nils' }
  const [row] = await app.db<{ id: string; microgenreId: string }[]>`
    select id, microgenre_id from songs where title = ${rated.title}`
  await rate(ada, row?.microgenreId ?? '', row?.id ?? '', 'bust')
  const loved = { title: 'Paper Lanterns', artist: 'The Glass Harbours' }
  const made = await bring(ada, dataOf([loved, rated], collections))
  const params = { id: made.id }
  const body = { bangers: true, busts: true, plays: true }
  expect((await ada.call(applyImport, { params, body })).status).toBe(409)
  await run()
  // One is a bust already.
  expect(await read(ada, made)).toMatchObject({ bangers: 1, heaps: { known: 2 } })
  expect((await ada.call(applyImport, { params, body })).body.status).toBe('applying')
  await run()

  const applied = await read(ada, made)
  expect(applied).toMatchObject({ status: 'applied', bangers: 1, appliedAt: expect.any(String) })
  expect(applied.achievements.map(({ type }) => type)).toContain('first_banger')
  const titles = async () => (await ada.call(listRatings)).body.map(({ song }) => song.title).sort()
  expect(await titles()).toEqual(['Paper Lanterns', 'Slow Tide'])
  const found = (await ada.call(listCollections)).body
  expect(found.map(({ name, items: own }) => [name, own.map((each) => each.name)])).toEqual([
    ['Evenings', ['Dawn', 'Dusk']],
    ['Mornings', []],
  ])
  expect((await ada.call(removeImport, { params })).body).toMatchObject({ status: 'reverting' })
  await run()
  expect((await ada.call(getImport, { params })).status).toBe(404)
  expect(await titles()).toEqual(['Slow Tide'])
  expect((await ada.call(listCollections)).body.map(({ name }) => name)).toEqual(['Mornings'])
})

test('imports-15: of the unknown songs loves stay, then those played most, and the rest is counted', async () => {
  const made = await bring(ada, dataOf([]))
  await app.db`
    insert into import_songs (import_id, place, heap, key, title, artist, verdict, plays)
    select ${made.id}, n, 'unknown', n, 'Song', 'Artist', case when n = 1 then true end, n
    from generate_series(1, 6) n`
  expect(await app.db.begin((tx) => trimSongs(tx, made.id, 3))).toBe(3)

  const rest = await app.db<{ low: number; loves: string }[]>`
    select min(place) as low, count(verdict) as loves from import_songs where import_id = ${made.id} and place > 1`
  expect(rest).toEqual([{ low: 5, loves: '0' }])
})

test('imports-16: a file that cannot be read says why and is gone; unknown columns can be named', async () => {
  const bad = await dryRun('{"a":1}')
  expect(bad).toMatchObject({ status: 'failed', key: null, error: expect.stringMatching(/\.$/) })
  const failed = await dryRun('Lied;Kapelle\nTwice;Anyone\n')
  expect(failed).toMatchObject({ status: 'failed', key: expect.any(String), header: ['Lied', 'Kapelle'] })
  const body = { key: failed.key ?? '', columns: 'title=Lied,artist=Kapelle' }
  const second = (await ada.call(createImport, { body })).body
  await run()
  expect(await read(ada, second)).toMatchObject({ status: 'ready', heaps: { known: 1 } })
  expect((await ada.call(getImport, { params: { id: failed.id } })).status).toBe(404)
})

test('imports-16: hostile texts are stored as text, and no log names a song or a file', async () => {
  const title = `=cmd|' /C'!A0\u0000\u202e${'x'.repeat(20)}\ud800`
  const items = [{ microgenre: 'Dusk\u0000' }]
  const collection = { name: 'Bad \u0000\ud800', description: null, isPublic: true, items }
  const made = await dryRun(dataOf([{ title, artist: "'; drop table songs; --" }], [collection]))

  expect(made).toMatchObject({ status: 'ready', collections: 1, progress: { rows: 1 } })
  expect(logged.join('\n')).not.toMatch(/drop table|export\.json|Paper/)
})

test('imports-17: a file nobody reads is deleted after a day, an import after 30 days', async () => {
  const { key } = await uploadImport(ada, dataOf([]))
  const table = await dryRun('Lied;Kapelle\nTwice;Anyone\n')
  const made = await bring(ada, TWICE)
  await app.db`update uploads set expires_at = expires_at - interval '1 day' where user_id = ${ada.id}`
  await sweepUploads(app.db, app.store)
  await run()
  const sweep = () => sweepImports(contextOf(app), new AbortController().signal)
  await sweep()
  expect(await leftovers({ key })).toEqual([0, null])
  const error = expect.stringContaining('was deleted')
  for (const each of [made, table])
    expect(await read(ada, each)).toMatchObject({ status: 'failed', key: null, header: null, error })

  await app.db`update imports set created_at = now() - interval '31 days' where user_id = ${ada.id}`
  const stuck = await uploadImport(ada, TWICE)
  await app.db`insert into imports (user_id, status, upload_key) values (${ada.id}, 'ready', ${stuck.key})`
  const store = { remove: () => Promise.reject(new Error('Down')) }
  const broken = { ...contextOf(app), integrations: { store } } as never
  await expect(sweepImports(broken, new AbortController().signal)).rejects.toThrow('Down')
  // The file that cannot be deleted holds up nothing.
  expect((await ada.call(listImports)).body).toMatchObject([{ status: 'ready', key: stuck.key }])
})

test('imports-18: an import of somebody else, of another kind of file, or of too many is refused', async () => {
  const stranger = await app.signIn()
  const { key } = await uploadImport(ada, dataOf([]))
  expect((await stranger.call(createImport, { body: { key } })).status).toBe(404)
  const { body } = await ada.call(getUploadParameters, { query: { filename: 'a', size: '4' } })
  const other = new URL(body.url).pathname.slice(1)
  expect((await ada.call(createImport, { body: { key: other } })).status).toBe(404)
  expect((await ada.call(createImport, { body: { key } })).status).toBe(200)
  expect((await ada.call(createImport, { body: { key } })).status).toBe(409)
  await app.db`
    insert into imports (user_id, status) select ${ada.id}, case when n < 0 then 'failed' else 'ready' end
    from generate_series(-5, ${MAX_OPEN_IMPORTS - 3}::int) n`
  for (const status of [200, 409]) {
    const more = await uploadImport(ada, dataOf([]))
    expect((await ada.call(createImport, { body: { key: more.key } })).status).toBe(status)
  }
})
