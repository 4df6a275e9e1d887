import { beforeEach, expect, test } from 'vitest'
import { getNextSong } from '../../contract/discovery.ts'
import type { Song, WholeAudio } from '../../contract/shapes.ts'
import { createGrowFromArchive } from '../../server/catalogue/growth/growFromArchive.ts'
import { verifyAudio } from '../../server/catalogue/verifyAudio.ts'
import { type MadeMicrogenre, makeMicrogenre } from '../factories.ts'
import { CatalogueTool, FAST_RETRIES } from '../harness/CatalogueTool.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { startArchive } from '../stand-ins/archive.ts'

/* Whole recordings of the Internet Archive, against a stand-in with records that must not be taken. */

const tool = new CatalogueTool()
const { db } = tool
const archive = setUpService(startArchive)
const app = setUpApp()

const BY_NC_SA = 'http://creativecommons.org/licenses/by-nc-sa/3.0/'

beforeEach(async () => {
  archive.reset()
  await db`truncate songs, microgenres, provider_cache cascade`
})

const environment = () => ({ ARCHIVE_URL: archive.url, AUDIO_HOSTS: archive.hosts })
const client = () => tool.services(environment()).archive

const grow = (genre: MadeMicrogenre, limit?: number) =>
  createGrowFromArchive(db, tool.env(environment()), client(), { limit, retry: FAST_RETRIES })(genre)

const wholeSongs = () => db<{ title: string; artist: string; audio: WholeAudio }[]>`
  select title, artist, audio from songs where audio is not null order by id`

test('catalogue-26: records with a licence that allows it become songs, and nothing else does; again changes nothing', async () => {
  const genre = await makeMicrogenre(db, 3)
  const item = { subject: `electronic; ${genre.name.toLowerCase()}`, licence: BY_NC_SA }
  const record = (id: string, track: object = {}, more: object = {}) => ({
    ...{ ...item, id, creator: `Band ${id}`, tracks: [{ title: `Song ${id}`, ...track }] },
    ...more,
  })
  archive.know(
    {
      ...{ ...item, id: 'good', creator: 'Ann' },
      tracks: [
        { title: 'Intro', length: '31.2' },
        { title: 'Öne & Two', name: 'CD 1/01 Öne & Two.mp3', length: '4:05' },
      ],
    },
    {
      ...{ ...item, id: 'twice', creator: 'Ann' },
      tracks: [{ title: 'öne & two' }, { title: 'Three' }, { title: 'Four' }, { title: 'Five' }],
    },
    record('elsewhere', {}, { subject: `not ${item.subject}s` }),
    record('sampling', {}, { licence: 'http://creativecommons.org/licenses/sampling+/1.0/' }),
    record('none', {}, { licence: undefined }),
    record('both', {}, { licence: [BY_NC_SA, 'https://example.org/all-rights'] }),
    record('changed', {}, { newLicence: 'https://example.org/all-rights' }),
    record('dark', {}, { isDark: true }),
    record('../metadata/x'),
    record('gone', { fate: 'gone' }),
    record('private', { fate: 'private' }),
    record('huge', { fate: 'huge' }),
    record('page', { fate: 'page' }),
    record('told huge', { size: '600000000' }),
    record('too small for its length', { size: '90000' }),
    record('set', { length: '1:02:03', size: '90000000' }),
    record('lossless', { format: 'Flac' }),
    record('live', { title: 'Song (Live in Paris)' }),
    record('endless', { length: 'long' }),
  )
  expect(await grow(genre)).toEqual({ added: 3, proposed: 0, isAnswered: true })

  const song = (title: string, path: string) => ({
    ...{ title, artist: 'Ann' },
    audio: {
      url: `${archive.url}/download/${path}`,
      licence: 'https://creativecommons.org/licenses/by-nc-sa/3.0/',
      attribution: 'Ann',
    },
  })
  expect([...(await wholeSongs())]).toEqual([
    song('Öne & Two', 'good/CD%201/01%20%C3%96ne%20%26%20Two.mp3'),
    song('Three', 'twice/2.mp3'),
    song('Four', 'twice/3.mp3'),
  ])
  archive.requests.length = 0
  expect(await grow(genre)).toEqual({ added: 0, proposed: 0, isAnswered: true })
  expect(archive.requests).toEqual([])
})

test('an archive that fails ends the run, and the next one continues', async () => {
  const genre = await makeMicrogenre(db, 1)
  const item = { subject: genre.name.toLowerCase(), licence: BY_NC_SA, creator: 'Ann' }
  archive.know(
    { ...item, id: 'a', tracks: [{ title: 'One' }] },
    { ...item, id: 'b', tracks: [{ title: 'Two' }] },
  )
  archive.behave('wrong')
  expect(await grow(genre)).toEqual({ added: 0, proposed: 0, isAnswered: false })
  archive.behave('ok')
  expect((await grow(genre, 1)).added).toBe(1)
  expect((await grow(genre)).added).toBe(1)
})

test('restricted and broken records end no run; broken ones are asked again by the next', async () => {
  const genre = await makeMicrogenre(db, 1)
  const item = { subject: genre.name.toLowerCase(), licence: BY_NC_SA, creator: 'Ann' }
  const tracks = (fate: 'refused' | 'broken') =>
    [1, 2, 3, 4, 5, 6].map((n) => ({ title: `${fate} ${n}`, fate }))
  archive.know(
    { ...item, id: 'restricted', tracks: tracks('refused') },
    { ...item, id: 'broken', tracks: tracks('broken') },
    { ...item, id: 'good', tracks: [{ title: 'Good' }] },
  )
  expect(await grow(genre)).toEqual({ added: 1, proposed: 0, isAnswered: false })
  archive.requests.length = 0
  await grow(genre)
  expect(archive.requests.filter((request) => request.includes('metadata'))).toEqual(['GET /metadata/broken'])
})

test('catalogue-26: without --microgenre all microgenres get some, those with the fewest whole recordings first', async () => {
  const full = await makeMicrogenre(db, 26)
  const empty = await makeMicrogenre(db, 30)
  const audio = { url: `${archive.url}/download/x/1.mp3`, licence: BY_NC_SA, attribution: 'Ann' }
  await db`update songs set audio = ${db.json(audio)} where id = ${full.songs[0] ?? ''}`
  for (const { name } of [full, empty])
    archive.know({
      ...{ id: name.replace(/\W/g, '-'), subject: name.toLowerCase(), licence: BY_NC_SA, creator: name },
      tracks: [{ title: `Song of ${name}` }],
    })
  const ran = await tool.run(['grow', '--source', 'archive'], { ...tool.outside.env, ...environment() })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(/Went through 2 of 2 microgenres: 2 songs added/)
  expect((await wholeSongs()).slice(1).map(({ artist }) => artist)).toEqual([empty.name, full.name])
})

test('catalogue-25: a dead recording is not played again until a check finds it', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const audio = { url: `${archive.url}/download/a/1.mp3`, licence: BY_NC_SA, attribution: 'Ann' }
  await app.db`update songs set audio = ${app.db.json(audio)} where id = ${genre.songs[0] ?? ''}`
  const listener = await app.signIn()
  const offered = async () =>
    ((await listener.call(getNextSong, { params: { id: genre.id } })).body as Song).audio
  const verify = (onlyDue = false) => verifyAudio(app.db, client(), { onlyDue })
  expect(await offered()).toEqual(audio)

  for (const fate of ['gone', 'private', 'huge', 'page'] as const) {
    archive.setFate(audio.url, fate)
    expect(await verify()).toEqual({ done: 1, dead: 1, unanswered: 0 })
    expect(await offered()).toBeNull()
    archive.setFate(audio.url, 'mirror')
    expect(await verify()).toEqual({ done: 1, dead: 0, unanswered: 0 })
    expect(await offered()).toEqual(audio)
  }
  archive.setFate(audio.url, 'refused')
  expect(await verify()).toEqual({ done: 0, dead: 0, unanswered: 1 })
  expect(await offered()).toEqual(audio)
  archive.behave('down')
  expect(await verify()).toEqual({ done: 0, dead: 0, unanswered: 1 })
  expect(await offered()).toEqual(audio)
  archive.requests.length = 0
  await verify(true)
  expect(archive.requests).toEqual([])
})

test('catalogue-25: recordings whose host refuses or fails keep no other from its check', async () => {
  const { songs } = await makeMicrogenre(db, 8)
  for (const [n, id] of songs.entries()) {
    const url = `${archive.url}/download/a/${n}.mp3`
    await db`
      update songs set audio = ${db.json({ url, licence: BY_NC_SA, attribution: 'Ann' })} where id = ${id}`
    if (n < 7) archive.setFate(url, n < 4 ? 'refused' : 'broken')
  }
  const ran = await tool.run(['verify'], { ...tool.outside.env, ...environment() })
  expect(ran.stdout).toContain('Checked 0 whole recordings: 0 dead, 7 more without an answer.')
  expect(await verifyAudio(db, client(), {})).toMatchObject({ done: 1 })
})
