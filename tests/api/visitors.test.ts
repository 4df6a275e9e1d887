import { beforeEach, expect, test } from 'vitest'
import { getMicrogenrePreview } from '../../contract/sharing.ts'
import { getRobots, getSitemap, getVisitorPreview, type MicrogenrePage } from '../../contract/visitors.ts'
import { readEnv } from '../../server/env.ts'
import { NO_FRAMES } from '../../server/http/pageExtras.ts'
import { findPreviewForVisitor } from '../../server/playback/preview.ts'
import { describeMicrogenrePage } from '../../server/sharing/microgenrePage.ts'
import { listSongsOfDay } from '../../server/visitors/visitorSong.ts'
import { makeMicrogenre } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { exceptOnCluster } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import { startDeezer } from '../stand-ins/deezer.ts'

const deezer = setUpService(startDeezer)
const app = setUpApp(() => ({ DEEZER_URL: deezer.url }))
beforeEach(() => {
  deezer.reset()
  app.renewServices()
})

const makeSong = async () => (await makeMicrogenre(app.db, 1)).songs[0] ?? ''
const preview = (id: string, from = app) => from.visitor().call(getVisitorPreview, { params: { id } })

test('visitors-3: a hundred visitors of two processes and later ones cost one look-up', async () => {
  const other = await app.another({ DEEZER_URL: deezer.url })
  const id = await makeSong()
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => preview(id, n % 2 ? app : other)))
  answers.push(await preview(id))

  expect(new Set(answers.map(({ body }) => body.result?.previewUrl)).size).toBe(1)
  expect(answers[0]?.body).toMatchObject({ success: true, result: { source: 'deezer' } })
  expect(deezer.requests).toHaveLength(1)
})

test.each(['nothing', 'down'] as const)(
  'visitors-3: a song for which Deezer has %s is not looked up again',
  async (answer) => {
    const id = await makeSong()
    deezer.answer(answer)
    expect(await preview(id)).toMatchObject({ status: 200, body: { success: false, result: null } })
    const before = deezer.requests.length
    deezer.reset()
    const other = await app.another({ DEEZER_URL: deezer.url })
    expect((await preview(id)).body.success).toBe(false)
    expect((await preview(id, other)).body.success).toBe(false)
    expect(before).toBeGreaterThan(0)
    expect(deezer.requests).toEqual([])

    await app.db`
      update rate_limits set expires_at = expires_at - interval '1 minute' where key = ${`visitor-lookup:${id}`}`
    app.renewServices()
    expect((await preview(id)).body.success).toBe(answer === 'down')
  },
)

test('visitors-3: a look-up that failed is made again after a minute', async () => {
  const id = await makeSong()
  const broken = { search: () => Promise.reject(new Error('Down')) } as never
  await expect(findPreviewForVisitor(app.db, broken, id, '203.0.113.9', new Map())).rejects.toThrow('Down')
  await app.db`
    update rate_limits set expires_at = expires_at - interval '1 minute' where key = ${`visitor-lookup:${id}`}`

  expect((await preview(id)).body.success).toBe(true)
})

test('visitors-3: a network causes forty look-ups a minute, and retired songs none', async () => {
  const [first = '', second = ''] = (await makeMicrogenre(app.db, 2)).songs
  await app.db`update songs set retired_at = now() where id = ${first}`
  expect((await preview(first)).status).toBe(404)
  await preview(second)
  await app.db`update limit_counters set count = 40 where key like 'visitor-lookups:%'`

  expect((await preview(second)).status).toBe(200)
  expect((await preview(await makeSong())).status).toBe(429)
  await app.db`delete from limit_counters where key like 'visitor-lookups%'`
})

/** A microgenre whose songs have these raters and bangers. The last one is retired. */
async function makeRated(...totals: [ratings: number, bangers: number][]) {
  const genre = await makeMicrogenre(app.db, totals.length + 1)
  for (const [i, [ratings, bangers]] of totals.entries())
    await app.db`
      insert into song_totals (song_id, ratings, bangers) values (${genre.songs[i] ?? ''}, ${ratings}, ${bangers})`
  await app.db`update songs set retired_at = now() where id = ${genre.songs.at(-1) ?? ''}`
  return { ...genre, key: genre.name.toLowerCase().replace(' ', '-') }
}

const document = ({ path }: typeof getSitemap | typeof getRobots, from = app) => from.visitor().raw(path)

const describe = (key: string, settings: Record<string, string> = {}) =>
  describeMicrogenrePage(
    app.db,
    readEnv({ PUBLIC_URL: 'http://localhost/music', ...settings }),
    `/microgenres/${key}`,
    NO_FRAMES,
  )

/** What the page shows; null for an unknown key. */
const page = async (key: string): Promise<MicrogenrePage | null> =>
  JSON.parse(/id="page-data">([^<]*)</.exec((await describe(key))?.head ?? '')?.[1] ?? '').page

test('visitors-4: a page has its neighbours, its songs, and from five raters on the bangers in order of agreement, without figures', async () => {
  const [genre, near] = [await makeRated([4, 4], [5, 4], [9, 9], [6, 3]), await makeRated([1, 1])]
  await app.db`
    insert into microgenre_places (microgenre_id, x, y, near, drawn_on)
    values (${genre.id}, 0, 0, ${[near.id]}::bigint[], now())`
  const { songs = [], ...shown } = (await page(genre.key)) ?? {}

  expect(shown).toEqual({
    id: genre.id,
    key: genre.key,
    name: genre.name,
    color: '#778899',
    description: 'One sentence. Another one.',
    near: [{ key: near.key, name: near.name, color: '#778899' }],
    bangers: [
      { title: 'Song 2', artist: 'Artist 2' },
      { title: 'Song 1', artist: 'Artist 1' },
    ],
  })
  expect(songs.map(({ title }) => title).sort()).toEqual(['Song 0', 'Song 1', 'Song 2', 'Song 3'])
  await app.db`update microgenres set retired_at = now() where id = ${near.id}`
  expect((await page(genre.key))?.near).toEqual([])
  for (const key of [near.key, 'unknown', '__proto__', '%00', "'"]) expect(await page(key)).toBeNull()
})

exceptOnCluster('there the parts of the table count reads')(
  'visitors-4: the songs of the day are looked up, however many the microgenre has',
  async () => {
    const { name } = await makeMicrogenre(app.db, 3000)
    await app.db`analyze songs`
    await app.db.begin(async (tx) => {
      const countReads = async () => {
        const [row] = await tx<{ reads: number }[]>`
          select (seq_tup_read + idx_tup_fetch)::int as reads from pg_stat_xact_user_tables where relname = 'songs'`
        return row?.reads ?? 0
      }
      const before = await countReads()
      const songs = await listSongsOfDay(tx, readEnv({}), [name.toLowerCase().replace(' ', '-')], 50)
      expect(new Set(songs.map(({ id }) => id)).size).toBe(50)
      expect((await countReads()) - before).toBe(50)
    })
  },
)

test('visitors-5: its HTML has the words, metadata and structured data, whatever the names, and asks nobody', async () => {
  const { id, key, songs } = await makeRated([5, 5])
  const name = '</script><b>日曜日 & موسيقى'
  await app.db`update microgenres set name = ${name} where id = ${id}`
  await app.db`update songs set title = ${name} where id = ${songs[0] ?? ''}`
  const html = await describe(key)
  const address = `http://localhost/music/microgenres/${key}`
  const escaped = '&lt;/script&gt;&lt;b&gt;日曜日 &amp; موسيقى'

  expect(html?.body).toContain(`<h1 dir="auto">${escaped}</h1>`)
  expect(html?.body).toContain(`<li><bdi>${escaped}</bdi> by <bdi>Artist 0</bdi></li>`)
  expect(html?.body).toContain('<a href="/music/">')
  expect(html?.head).toContain(`<link rel="canonical" href="${address}" />`)
  expect(html?.head).toContain(`<meta property="og:image" content="${address}/preview.png" />`)
  expect(html?.head).not.toContain('noindex')
  const playlist = JSON.parse(/ld\+json">([^<]*)</.exec(html?.head ?? '')?.[1] ?? '')
  expect(playlist).toMatchObject({ '@type': 'MusicPlaylist', name, url: address, track: [{ name }] })
  expect(await page(key)).toMatchObject({ name, songs: [{ title: name }] })
  const picture = await app.visitor().call(getMicrogenrePreview, { params: { key } })
  expect(picture).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=86400' } })
  expect(picture.headers).not.toHaveProperty('x-robots-tag')
  expect(deezer.requests).toEqual([])
  expect(await describe('unknown')).toMatchObject({
    status: 404,
    title: 'Microgenre Not Found · Banger or Bust',
  })
  expect(await describe(key, { VISITORS: 'off' })).toBeNull()
})

test('visitors-5: the sitemap has every microgenre with songs, and robots.txt names it', async () => {
  const [genre, empty] = [await makeRated([0, 0]), await makeMicrogenre(app.db, 0)]
  const sitemap = (await document(getSitemap)).text
  const origin = app.url.replace('127.0.0.1', 'localhost')

  expect(sitemap).toContain(`<url><loc>${origin}/microgenres/${genre.key}</loc></url>`)
  expect(sitemap).not.toContain(empty.name.toLowerCase().replace(' ', '-'))
  expect((await document(getRobots)).text).toMatch(new RegExp(`^Sitemap: ${origin}/sitemap.xml$`, 'm'))
})

test.each<Record<string, string>>([
  { VISITORS: 'off' },
  { REGISTRATION: 'closed' },
  { REGISTRATION: 'invite' },
])('visitors-1: with %j there is nothing to hear', async (settings) => {
  const closed = await app.another({ DEEZER_URL: deezer.url, ...settings })
  expect(await preview(await makeSong(), closed)).toMatchObject({
    status: 404,
    body: { message: 'There is no such call.' },
  })
  expect(deezer.requests).toEqual([])
})
