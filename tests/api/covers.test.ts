import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { COVER_SIZES, type CoverSize, coverAddress } from '../../contract/covers.ts'
import { readEnv } from '../../server/env.ts'
import { isDeezerPicture } from '../../server/integrations/covers.ts'
import { makeMicrogenre, nextSong } from '../factories.ts'
import { requestBytes } from '../harness/request.ts'
import { setUpApp, type TestApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { makePicture, makePlainPicture } from '../pictures.ts'
import { startOutside } from '../stand-ins/outside.ts'
import { startPictureHost } from '../stand-ins/pictures.ts'

/* Which cover a song has, and what the server fetches and stores for it. */

const outside = setUpService(startOutside)
// Deezer's pictures come from the same stand-in.
const app = setUpApp(() => ({ ...outside.env, DEEZER_URL: outside.coverart.url }))

beforeEach(async () => {
  outside.reset()
  app.renewServices()
  await app.db`delete from provider_cache`
})

/** A song of its own microgenre. */
async function makeSong(about: { release?: string; art?: string; video?: string } = {}) {
  const { id: genre, songs } = await makeMicrogenre(app.db, 1)
  const [id = ''] = songs
  await app.db`
    update songs set release_mbid = ${about.release ?? null}, album_art = ${about.art ?? null},
      youtube_id = ${about.video ?? null}
    where id = ${id}`
  return { id, artOf: async () => (await nextSong(await app.signIn(), genre))?.albumArt }
}

const newRelease = () =>
  randomBytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

function getCover(id: string, { size = 320, at = app, headers = {} }: CoverRequest = {}) {
  return requestBytes(at.url + coverAddress(id, size), { headers })
}

interface CoverRequest {
  size?: CoverSize
  at?: TestApp
  headers?: Record<string, string>
}

const small = () => makePicture('jpeg', { width: 64, height: 48 })

test('playback-63: the cover of the release, square, as WebP, in three sizes, is fetched once and kept', async () => {
  const release = newRelease()
  outside.coverart.know(release, await makePicture('jpeg', { width: 1200, height: 900 }))
  const song = await makeSong({ release })

  expect(await song.artOf()).toBe(`/covers/${song.id}-640.webp`)
  for (const size of COVER_SIZES) {
    const { status, headers, bytes } = await getCover(song.id, { size })
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/webp',
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=604800',
        'x-content-type-options': 'nosniff',
      },
    })
    const { format, width, height } = await sharp(bytes).metadata()
    expect({ format, width, height }).toEqual({ format: 'webp', width: size, height: size })
  }
  const { headers } = await getCover(song.id)
  expect(headers.etag).toMatch(/^"[\w-]+"$/)
  expect(
    await getCover(song.id, { headers: { 'if-none-match': `W/${headers.etag}, "other"` } }),
  ).toMatchObject({
    status: 304,
    headers: { etag: headers.etag },
    bytes: Buffer.alloc(0),
  })
  const restarted = await app.another({ DATA_DIR: app.dataDir })
  expect((await getCover(song.id, { at: restarted })).status).toBe(200)
  const sibling = await makeSong({ release })
  expect((await getCover(sibling.id)).status).toBe(200)
  expect(outside.coverart.requests).toEqual([`/release/${release}/front-1200`])
  expect([...outside.coverart.agents]).toEqual([expect.stringMatching(/^BangerOrBust\/.*\( http/)])
})

test('playback-63: an operator’s own picture comes first, then the cover, then the video’s thumbnail', async () => {
  const release = newRelease()
  const own = 'https://covers.example/own.jpg'
  const atDeezer = 'https://cdn-images.dzcdn.net/images/cover/1/1000x1000-000000-80-0-0.jpg'
  const thumbnail = (video: string) => `https://i.ytimg.com/vi/${video}/hqdefault.jpg`

  expect(await (await makeSong({ release, art: own, video: 'covertest_1' })).artOf()).toBe(own)
  const coverAndVideo = await makeSong({ release, video: 'covertest_2' })
  expect(await coverAndVideo.artOf()).toBe(`/covers/${coverAndVideo.id}-640.webp#${thumbnail('covertest_2')}`)
  const deezer = await makeSong({ art: atDeezer, video: 'covertest_3' })
  expect(await deezer.artOf()).toBe(`/covers/${deezer.id}-640.webp#${thumbnail('covertest_3')}`)
  expect(await (await makeSong({ video: 'covertest_4' })).artOf()).toBe(thumbnail('covertest_4'))
  expect(await (await makeSong()).artOf()).toBeNull()
})

test('playback-63: a release without a front has Deezer’s cover; without that there is none, for a week', async () => {
  const [release, none] = [newRelease(), newRelease()]
  const art = outside.coverart.show('deezer.jpg', await small())
  expect((await getCover((await makeSong({ release, art })).id)).status).toBe(200)

  const song = await makeSong({ release: none })
  expect(await getCover(song.id)).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
  const again = await getCover(song.id)
  expect(again).toMatchObject({ status: 404, headers: { 'cache-control': 'public, max-age=3600' } })
  expect(JSON.parse(again.bytes.toString())).toEqual({ message: 'There is no such cover.' })
  expect(outside.coverart.requests.filter((path) => path.includes(none))).toHaveLength(1)

  outside.coverart.know(none, await small())
  await app.db`update provider_cache set expires_at = expires_at - interval '7 days'`
  expect((await getCover(song.id)).status).toBe(200)
})

test('playback-63: another release has another cover', async () => {
  const [first, second] = [newRelease(), newRelease()]
  outside.coverart.know(first, await small())
  outside.coverart.know(second, await small())
  const song = await makeSong({ release: first })
  const before = await getCover(song.id)
  await app.db`update songs set release_mbid = ${second} where id = ${song.id}`
  const after = await getCover(song.id, { headers: { 'if-none-match': before.headers.etag ?? '' } })

  expect(after.status).toBe(200)
  expect(after.bytes.equals(before.bytes)).toBe(false)
})

describe('playback-63: archive.org fails', () => {
  test.each(['wrong', 'limited', 'down', 'gone', 'cut', 'half'] as const)(
    '%s: no cover, and no other request for a minute',
    async (behaviour) => {
      const release = newRelease()
      outside.coverart.know(release, await small())
      outside.coverart.behave(behaviour)
      const song = await makeSong({ release })
      expect(await getCover(song.id)).toMatchObject({
        status: 404,
        headers: { 'cache-control': 'no-store' },
      })
      const { length } = outside.coverart.requests
      outside.coverart.behave('ok')
      expect((await getCover(song.id)).status).toBe(404)
      expect(outside.coverart.requests).toHaveLength(length)

      await app.db`update provider_cache set expires_at = expires_at - interval '1 minute'`
      app.renewServices()
      expect((await getCover(song.id)).status).toBe(200)
    },
  )

  test('slow: nobody waits longer than three seconds, and the cover is there the next time', async () => {
    const release = newRelease()
    outside.coverart.know(release, await small())
    const song = await makeSong({ release })
    const releaseCover = outside.coverart.hold()
    expect(await getCover(song.id)).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
    releaseCover()

    await expect.poll(async () => (await getCover(song.id)).status).toBe(200)
    expect(outside.coverart.requests).toHaveLength(1)
  })
})

test('playback-64: a response that is no picture, too large, or a decompression bomb is no cover', async () => {
  const hostile = {
    text: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    half: (await small()).subarray(0, 700),
    bomb: await makePlainPicture(6000, 5000),
    tenMegabytes: randomBytes(10_000_000),
  }
  for (const [what, content] of Object.entries(hostile)) {
    const release = newRelease()
    outside.coverart.know(release, content)
    const song = await makeSong({ release })
    expect((await getCover(song.id)).status, what).toBe(404)
    // The next request does not ask again.
    expect((await getCover(song.id)).status, what).toBe(404)
    expect(outside.coverart.requests.filter((path) => path.includes(release))).toHaveLength(1)
  }
  expect(app.errors).toEqual([])
})

test('playback-64: a redirect to any other host is not followed', async () => {
  const other = await startPictureHost()
  other.show(await small(), 'image/jpeg')
  for (const to of [
    other.address('a.jpg'),
    'http://169.254.169.254/a.jpg',
    'https://archive.org.example/a',
  ]) {
    const release = newRelease()
    outside.coverart.know(release, await small())
    outside.coverart.redirect(to)
    expect((await getCover((await makeSong({ release })).id)).status, to).toBe(404)
  }
  await other.close()

  expect(other.requests).toEqual([])
})

test.each([
  ['https://cdn-images.dzcdn.net/images/cover/1/500x500.jpg', true],
  ['http://e-cdns-images.dzcdn.net/images/cover/1/500x500.jpg', true],
  ['https://dzcdn.net.example/1.jpg', false],
  ['https://evildzcdn.net/1.jpg', false],
  ['https://dzcdn.net@covers.example/1.jpg', false],
  ['https://someone@cdn-images.dzcdn.net/1.jpg', false],
  ['https://cdn-images.dzcdn.net:8443/1.jpg', false],
  ['ftp://cdn-images.dzcdn.net/1.jpg', false],
  ['nonsense', false],
])('playback-64: %s is a picture of Deezer: %s', (address, expected) => {
  expect(isDeezerPicture(address, readEnv({}))).toBe(expected)
})

test('playback-64: three covers are fetched at once, each once, however many pages wait for it', async () => {
  const releases = Array.from({ length: 8 }, newRelease)
  const songs = await Promise.all(releases.map((release) => makeSong({ release })))
  for (const release of releases) outside.coverart.know(release, await small())
  const releaseCover = outside.coverart.hold()
  const waiting = songs.flatMap(({ id }) => COVER_SIZES.map((size) => getCover(id, { size })))
  await expect.poll(() => outside.coverart.requests.length).toBe(3)
  // The waiting ones got no answer, so nothing else was requested meanwhile.
  await Promise.all(waiting)
  expect(outside.coverart.requests).toHaveLength(3)
  releaseCover()

  for (const { id } of songs) await expect.poll(async () => (await getCover(id)).status).toBe(200)
  expect(outside.coverart.requests.toSorted()).toEqual(
    releases.map((one) => `/release/${one}/front-1200`).toSorted(),
  )
})

test('playback-64: the address names a song and a size, and nothing else', async () => {
  const song = await makeSong({ release: newRelease() })
  for (const name of [
    `${song.id}-100.webp`,
    `${song.id}-6400.webp`,
    `${song.id}.webp`,
    `${song.id}-320.webp/../../secret`,
    '999999999-320.webp',
    '0-320.webp',
    encodeURIComponent('https://covers.example/1.jpg'),
    encodeURIComponent('../../secret'),
  ]) {
    const { status } = await requestBytes(`${app.url}/covers/${name}?url=https://covers.example/1.jpg`)
    expect(status, name).toBe(404)
  }

  expect(outside.coverart.requests).toEqual([])
})
