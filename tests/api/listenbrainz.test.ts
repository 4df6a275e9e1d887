import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { applyImport, getImport } from '../../contract/imports.ts'
import { removeRating } from '../../contract/library.ts'
import {
  getListenbrainz,
  importLoves,
  linkListenbrainz,
  sendBusts,
  sendPlaylist,
  unlinkListenbrainz,
} from '../../contract/listenbrainz.ts'
import { deleteAccount, exportData } from '../../contract/profiles.ts'
import { readEnv } from '../../server/env.ts'
import { runImports } from '../../server/imports/runImports.ts'
import type { Integrations } from '../../server/integrations/integrations.ts'
import { createListenbrainzAccounts } from '../../server/integrations/listenbrainzAccounts.ts'
import { openToken, sealToken } from '../../server/listenbrainz/sealToken.ts'
import { sendRatings } from '../../server/listenbrainz/sendRatings.ts'
import { makeMicrogenre, rate, writeRatings } from '../factories.ts'
import { SESSION_SECRET, setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'
import { REJECTED, startListenbrainzAccounts } from '../stand-ins/listenbrainzAccounts.ts'

const there = setUpService(startListenbrainzAccounts)
const app = setUpApp(() => ({ LISTENBRAINZ_URL: there.url }))
const ada = setUpListener(app)
let name: string
let token: string
beforeEach(async () => {
  await app.db`delete from listenbrainz_links`
  // No breaker is open, and no pause is left.
  app.renewServices()
  there.reset()
  name = `Ada ${ada.id}/?`
  token = there.join(name)
})

const link = (given = token, listener: Visitor = ada) =>
  listener.call(linkListenbrainz, { body: { token: given } })

/** A server's process, which works until `signal` aborts. Every listener is due. */
async function runJob(signal = new AbortController().signal, log = pino({ level: 'silent' })): Promise<void> {
  const env = readEnv({ NODE_ENV: 'test', LISTENBRAINZ_URL: there.url })
  const listenbrainzAccounts = createListenbrainzAccounts(env, log, app.db)
  const integrations = { listenbrainzAccounts } as Integrations
  await app.db`update listenbrainz_links set next_at = created_at`
  await sendRatings({ db: app.db, env, integrations, secret: SESSION_SECRET, log }, signal)
}

const mbidOf = (song: string | undefined) => `00000000-0000-4000-8000-${song?.padStart(12, '0')}`

const scoresOf = (...scores: (readonly [song: string | undefined, score: number])[]) =>
  new Map(scores.map(([song, score]) => [mbidOf(song), score]))

/** A microgenre whose songs have recordings. */
async function makeSongs(count: number) {
  const genre = await makeMicrogenre(app.db, count)
  await app.db`
    update songs set recording_mbid = '00000000-0000-4000-8000-' || lpad(id::text, 12, '0')
    where microgenre_id = ${genre.id}`
  return genre
}

const callsTo = (path: string) => there.requests.filter((call) => call.endsWith(path)).length
const sentCalls = () => callsTo('/recording-feedback')
const describe = async () => (await ada.call(getListenbrainz)).body.link

test('library-33: a proven token is linked, and appears in no answer, log, download or column', async () => {
  const { status, body } = await link()
  expect(status).toBe(200)
  expect(body).toEqual({
    service: new URL(there.url).host,
    link: { userName: name, sendsBusts: false, isRefused: false, isFailing: false, sent: 0, waiting: 0 },
  })
  const [row] = await app.db<{ stored: string }[]>`
    select to_jsonb(l)::text as stored from listenbrainz_links l where user_id = ${ada.id}`
  const { text: data } = await ada.raw(exportData.path)
  expect(JSON.parse(data)).toMatchObject({ listenbrainz: { userName: name, sendsBusts: false, sent: {} } })
  for (const shown of [JSON.stringify(body), row?.stored ?? token, data, ...app.logged])
    expect(shown).not.toContain(token)
  expect(data).not.toContain('eyJ')

  await ada.call(unlinkListenbrainz)
  expect(await describe()).toBeNull()
  await link()
  await ada.call(deleteAccount, { body: { confirmation: ada.email } })
  expect(await app.db`select from listenbrainz_links`).toHaveLength(0)
})

test('library-33: only the secret of this server opens it, for this listener and this service', async () => {
  const owner = { listener: '7', service: 'https://api.listenbrainz.org' }
  const sealed = await sealToken('s'.repeat(32), owner, token)
  expect(await openToken('s'.repeat(32), owner, sealed)).toBe(token)
  expect(await openToken('t'.repeat(32), owner, sealed)).toBeNull()
  for (const other of [{ listener: '8' }, { service: 'https://evil.example' }])
    expect(await openToken('s'.repeat(32), { ...owner, ...other }, sealed)).toBeNull()
})

test.each([
  ['a wrong token', () => there.revoke(token), 400, 'refuses this token'],
  ['Koito', () => there.pretend('Koito'), 400, 'does not keep loves'],
  ['Maloja', () => there.pretend('Maloja'), 400, 'does not keep loves'],
  ['a web site', () => there.pretend('a web site'), 400, 'is no such service'],
  ['a redirect to another host', () => there.pretend('a redirect'), 502, 'does not answer'],
  ['an error', () => there.behave('down'), 502, 'does not answer'],
  ['a closed connection', () => there.behave('gone'), 502, 'does not answer'],
])('library-33: %s links nothing, and is told', async (_, prepare, status, words) => {
  prepare()
  const answer = await link()
  expect(answer).toMatchObject(refusal(status, expect.stringContaining(words)))
  expect(await app.db`select from listenbrainz_links`).toHaveLength(0)
  expect(there.requests).not.toContain('GET /stolen')
})

test('library-33: a token with what no header may have answers 400; the 31st call in an hour 429', async () => {
  expect((await link('abcdefgh\r\nHost: x')).status).toBe(400)
  await link()
  await app.db`update limit_counters set count = 30 where key = ${`listenbrainz:${ada.id}`}`
  expect((await link()).status).toBe(429)
})

test('library-34: bangers become loves, busts hates only when asked, and what is undone none', async () => {
  const { id, songs } = await makeSongs(4)
  await app.db`update songs set recording_mbid = null where id = ${songs[3] ?? ''}`
  await link()
  for (const n of [0, 1, 3]) await rate(ada, id, songs[n] ?? '')
  await rate(ada, id, songs[2] ?? '', 'bust')
  await runJob()
  const loves = there.feedbackOf(name)
  expect(loves).toEqual(scoresOf([songs[0], 1], [songs[1], 1]))
  expect(await describe()).toMatchObject({ sent: 2, waiting: 1 })

  expect((await ada.call(sendBusts, { body: { send: true } })).body.link?.sendsBusts).toBe(true)
  await ada.call(removeRating, { params: { songId: songs[0] ?? '' } })
  await rate(ada, id, songs[1] ?? '', 'bust')
  await app.db`update songs set recording_mbid = ${mbidOf(songs[3])} where id = ${songs[3] ?? ''}`
  await runJob()
  expect(loves).toEqual(scoresOf([songs[1], -1], [songs[2], -1], [songs[3], 1]))
  await ada.call(sendBusts, { body: { send: false } })
  await runJob()
  expect(loves).toEqual(scoresOf([songs[3], 1]))
  const before = there.requests.length
  await runJob()
  expect(there.requests).toHaveLength(before)
})

test('library-34, library-36: loves that are there already keep their date, also when reading them ended early', async () => {
  const { songs } = await makeSongs(30)
  for (const song of songs.slice(0, 20)) there.feedbackOf(name).set(mbidOf(song), 1)
  await writeRatings(app.db, ada.id, songs, () => true)
  await link()
  there.feedbackPages = { size: 8, end: 8 }
  await runJob()
  expect((await ada.call(importLoves)).status).toBe(502)
  expect(sentCalls()).toBe(0)
  there.feedbackPages = { size: 8, end: 20 }
  await runJob()
  expect(sentCalls()).toBe(10)
  expect(there.feedbackOf(name).size).toBe(30)
})

test('library-34: loves that are imported keep their date, also while the first ratings are sent', async () => {
  const { songs } = await makeSongs(80)
  const imported = songs.slice(20)
  await link()
  await writeRatings(app.db, ada.id, songs, () => true)
  await app.db`update songs set recording_mbid = null where id = any(${imported}::bigint[])`
  const stop = new AbortController()
  there.onChange = () => stop.abort()
  await runJob(stop.signal)
  there.onChange = () => {}
  for (const song of imported.slice(0, 5)) there.feedbackOf(name).set(mbidOf(song), 1)
  await app.db`update ratings set import_id = 1 where user_id = ${ada.id} and song_id = any(${imported}::bigint[])`
  for (const song of imported)
    await app.db`update songs set recording_mbid = ${mbidOf(song)} where id = ${song}`
  there.behave('down')
  await runJob()
  app.renewServices()
  there.behave('ok')
  const reads = () => there.requests.filter((call) => call.endsWith('get-feedback')).length
  const before = reads()
  const sent: string[] = []
  there.onChange = (recording) => sent.push(recording)
  await runJob()
  expect(sent).not.toEqual(expect.arrayContaining([mbidOf(imported[0])]))
  expect(there.feedbackOf(name).size).toBe(80)
  expect(reads() - before).toBe(1)
})

test('library-34: an account that cannot be read is shown, and holds up nobody', async () => {
  const { songs } = await makeSongs(1)
  const grace = await app.signIn()
  await link()
  await link(there.join('Hopper'), grace)
  for (const { id } of [ada, grace]) await writeRatings(app.db, id, songs, () => true)
  await app.db`update listenbrainz_links set user_name = 'Renamed' where user_id = ${ada.id}`
  await runJob()
  expect(there.feedbackOf('Hopper').size).toBe(1)
  for (let n = 0; n < 4; n++) await runJob()
  expect((await ada.call(getListenbrainz)).body.link).toMatchObject({ isFailing: true, sent: 0 })
  expect((await grace.call(getListenbrainz)).body.link).toMatchObject({ isFailing: false, sent: 1 })
})

test('library-34: what the service rejects is not sent again, and does not count as there', async () => {
  const { songs } = await makeSongs(1)
  await app.db`update songs set recording_mbid = ${REJECTED} where id = ${songs[0] ?? ''}`
  await link()
  await writeRatings(app.db, ada.id, songs, () => true)
  await runJob()
  await app.db`update listenbrainz_links set compared_at = null`
  await runJob()
  expect(sentCalls()).toBe(1)
  expect((await ada.call(getListenbrainz)).body.link?.sent).toBe(0)
})

test('library-34: stopped midway and then without an answer, it holds the last state of each song, sent once', async () => {
  const { songs } = await makeSongs(100)
  await link()
  await writeRatings(app.db, ada.id, songs, (n) => n % 3 > 0)
  const sent: string[] = []
  const stopped = new AbortController()
  there.onChange = (recording) => {
    if (sent.push(recording) === 20) stopped.abort()
  }
  await runJob(stopped.signal)
  for (const behaviour of ['down', 'gone', 'cut', 'wrong'] as const) {
    there.behave(behaviour)
    await runJob()
    await app.db`
      update ratings set banger = not banger, rated_at = now() where user_id = ${ada.id} and song_id % 4 = 1`
  }
  await app.db`
    update ratings set banger = not banger, rated_at = now() where user_id = ${ada.id} and song_id % 5 = 1`
  there.behave('ok')
  sent.splice(0)
  await runJob()

  const wanted = await app.db<{ songId: string }[]>`
    select song_id from ratings where user_id = ${ada.id} and banger`
  expect(there.feedbackOf(name)).toEqual(scoresOf(...wanted.map(({ songId }) => [songId, 1] as const)))
  expect(new Set(sent).size).toBe(sent.length)
})

test('library-34: nothing is sent for a suspended account', async () => {
  const { songs } = await makeSongs(1)
  await link()
  await writeRatings(app.db, ada.id, songs, () => true)
  await app.db`update users set suspended_at = now() where id = ${ada.id}`
  await runJob()
  expect(sentCalls()).toBe(0)
})

test('library-34: within an hour it sends what got a recording without a rating', async () => {
  const { id, songs } = await makeSongs(1)
  const [song = ''] = songs
  await app.db`update songs set recording_mbid = null where id = ${song}`
  await link()
  await rate(ada, id, song)
  await runJob()
  const wait = (minutes: number) =>
    app.db`update listenbrainz_links set compared_at = compared_at - ${minutes} * interval '1 minute'`
  await wait(50)
  await runJob()
  await app.db`update songs set recording_mbid = ${mbidOf(song)} where id = ${song}`
  await wait(11)
  await runJob()
  expect(there.feedbackOf(name)).toEqual(scoresOf([song, 1]))
})

test('library-34: a 429 pauses it for all listeners until the time in the headers', async () => {
  there.behave('limited', 1)
  expect((await link()).status).toBe(502)
  expect((await link(there.join('Grace'), await app.signIn())).status).toBe(502)
  expect(there.requests).toHaveLength(1)
  await expect.poll(async () => (await link()).status, { timeout: 3000, interval: 200 }).toBe(200)
})

test('library-34: a refused token stops it and is told; with a new one nothing is missing', async () => {
  const { id, songs } = await makeSongs(2)
  await link()
  for (const song of songs) await rate(ada, id, song)
  await runJob()
  there.revoke(token)
  await ada.call(removeRating, { params: { songId: songs[0] ?? '' } })
  await runJob()
  expect(await describe()).toMatchObject({ isRefused: true })
  const before = there.requests.length
  await runJob()
  expect(there.requests).toHaveLength(before)
  expect((await ada.call(sendPlaylist, { body: { sort: 'newest' } })).status).toBe(409)

  await link(there.join(name))
  await runJob()
  expect(there.feedbackOf(name)).toEqual(scoresOf([songs[1], 1]))
  // Another account has none of it yet.
  await link(there.join('Grace'))
  await runJob()
  expect(there.feedbackOf('Grace')).toEqual(scoresOf([songs[1], 1]))
})

test('library-35: a playlist is sent in hundreds, and says how far it came', async () => {
  const { id, songs, name: genre } = await makeSongs(230)
  await writeRatings(app.db, ada.id, songs, () => true)
  const body = { microgenre: id, sort: 'newest' as const }
  expect((await ada.call(sendPlaylist, { body })).status).toBe(404)
  await link()
  expect((await ada.call(sendPlaylist, { body })).body).toEqual({ address: null, songs: 230, sent: 230 })
  const [playlist] = there.playlists.values()
  expect(playlist).toMatchObject({ userName: name, title: `My bangers: ${genre}` })
  expect(playlist?.recordings).toEqual([...songs].reverse().map(mbidOf))
  expect(callsTo('/item/add')).toBe(3)

  there.onChange = () => there.behave('down')
  expect((await ada.call(sendPlaylist, { body })).body).toMatchObject({ songs: 230, sent: 100 })
  const none = await ada.call(sendPlaylist, { body: { ...body, search: 'nothing like it' } })
  expect(none).toMatchObject(refusal(400, expect.stringContaining('recording')))
})

test('library-36: loves come in after a dry run, and are not sent back', async () => {
  const { songs } = await makeSongs(3)
  const loves = there.feedbackOf(name)
  for (const [n, song] of songs.entries()) loves.set(mbidOf(song), n === 2 ? -1 : 1)
  await link()
  there.onChange = () => expect.unreachable()
  await app.db`insert into imports (user_id, status) select ${ada.id}, 'ready' from generate_series(1, 20)`
  expect((await ada.call(importLoves)).status).toBe(409)
  expect(await app.db`select from uploads where user_id = ${ada.id}`).toHaveLength(0)
  await app.db`delete from imports where user_id = ${ada.id}`
  const pressed = await Promise.all([ada.call(importLoves), ada.call(importLoves)])
  expect(pressed.map(({ status }) => status).sort()).toEqual([200, 409])
  const { status, body } = await ada.call(importLoves)
  expect(status).toBe(200)
  expect(await app.db`select from imports where user_id = ${ada.id}`).toHaveLength(1)
  const stored = await app.store.withFile(body.key ?? '', (file) => readFile(file, 'utf8'))
  expect(stored).not.toContain('release_name')
  const context = { db: app.db, log: pino({ level: 'silent' }), integrations: { store: app.store } }
  const importing = () => runImports(context, AbortSignal.timeout(60_000))
  await importing()
  const params = { id: body.id }
  expect((await ada.call(getImport, { params })).body).toMatchObject({
    status: 'ready',
    sources: ['ListenBrainz, loves'],
    heaps: { known: 3, doubtful: 0, unknown: 0 },
    bangers: 2,
    busts: 1,
  })
  expect(await app.db`select from ratings where user_id = ${ada.id}`).toHaveLength(0)
  await ada.call(applyImport, { params, body: { bangers: true, busts: false, plays: false } })
  await importing()
  expect(await app.db`select from ratings where user_id = ${ada.id} and banger`).toHaveLength(2)
  await runJob()
  expect(await describe()).toMatchObject({ sent: 2 })
  expect(sentCalls()).toBe(0)
})
