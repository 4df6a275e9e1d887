import { beforeEach, expect, test } from 'vitest'
import { searchPreview } from '../../contract/playback.ts'
import { recogniseSong, searchSongs } from '../../contract/suggestions.ts'
import { makeMicrogenre, nextSong } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import type { Visitor } from '../harness/visitor.ts'
import { listen } from '../stand-ins/behaviour.ts'
import { startDeezer } from '../stand-ins/deezer.ts'

const deezer = setUpService(startDeezer)
const app = setUpApp(() => ({ DEEZER_URL: deezer.url }))
const ada = setUpListener(app)
beforeEach(() => {
  deezer.reset()
  app.renewServices()
})

const NOT_FOUND = { success: false, message: 'No preview was found for this song.', result: null }
const SERVICE_DOWN = {
  success: false,
  message: 'The preview service does not answer right now.',
  result: null,
}

test('a preview is found by artist and title', async () => {
  const { status, body } = await ada.call(searchPreview, {
    query: { artist: ' Basic Channel ', title: 'Phylyps Trak' },
  })

  expect(status).toBe(200)
  expect(body).toEqual({
    success: true,
    message: null,
    result: { source: 'deezer', previewUrl: expect.stringContaining('/preview/'), albumArt: null },
  })
  expect(deezer.requests).toEqual(['artist:"Basic Channel" track:"Phylyps Trak"'])
})

test('a result for a song is stored on the song, and requested once', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const songId = genre.songs[0] ?? ''
  const query = { artist: 'Artist 0', title: 'Song 0', songId }
  const { body } = await ada.call(searchPreview, { query })
  expect((await nextSong(ada, genre.id))?.deezerId).toBe(body.result?.previewUrl)

  const again = await ada.call(searchPreview, { query })
  expect(again.body.result?.previewUrl).toBe(body.result?.previewUrl)
  expect(deezer.requests).toHaveLength(1)
})

test('listeners who request a song at the same time share one search', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const query = { artist: 'Artist 0', title: 'Song 0', songId: genre.songs[0] ?? '' }
  const listeners = await Promise.all([app.signIn(), app.signIn(), app.signIn(), app.signIn()])
  const release = deezer.hold()
  const waiting = listeners.map((listener) => listener.call(searchPreview, { query }))
  await expect
    .poll(
      async () =>
        (
          await app.db`
      select from limit_counters where key = any(${listeners.map(({ id }) => `lookups:${id}`)}::text[])`
        ).length,
    )
    .toBe(listeners.length)
  release()
  const results = (await Promise.all(waiting)).map(({ body }) => body.result?.previewUrl)

  expect(results[0]).toContain('/preview/')
  expect(new Set(results).size).toBe(1)
  expect(deezer.requests).toHaveLength(1)
})

test('a caller cannot store another recording on a song', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  await ada.call(searchPreview, { query: { artist: 'Someone', title: 'Else', songId: genre.songs[0] ?? '' } })

  expect(deezer.requests).toEqual(['artist:"Artist 0" track:"Song 0"'])
})

test('an expired address is requested again, by its track', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const query = { artist: 'Artist 0', title: 'Song 0', songId: genre.songs[0] ?? '' }
  const before = (await ada.call(searchPreview, { query })).body.result?.previewUrl
  deezer.expirePreviews()
  await app.db`update songs set preview_expires_at = now() where id = ${genre.songs[0] ?? ''}`
  const after = (await ada.call(searchPreview, { query })).body.result?.previewUrl

  expect(after).not.toBe(before)
  expect(deezer.requests[1]).toMatch(/^\/track\/\d+$/)
  const song = await nextSong(ada, genre.id)
  expect(song?.deezerId).toBe(after)
  // What 'Hear it elsewhere' links to (playback-60).
  expect(deezer.requests[1]).toBe(`/track/${song?.deezerTrackId}`)
})

test('fresh requests the address again although it is cached', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  const query = { artist: 'Artist 0', title: 'Song 0', songId: genre.songs[0] ?? '' }
  const before = (await ada.call(searchPreview, { query })).body.result?.previewUrl
  deezer.expirePreviews()
  const after = (await ada.call(searchPreview, { query: { ...query, fresh: 'true' } })).body.result
    ?.previewUrl

  expect(after).not.toBe(before)
})

test('limits-2: a listener looks up forty songs a minute in all, and cached previews do not count', async () => {
  const [bob, genre] = [await app.signIn(), await makeMicrogenre(app.db, 1)]
  const search = async (who: Visitor) => (await who.call(searchSongs, { query: { words: 'alison' } })).status
  const cached = { query: { artist: 'Artist 0', title: 'Song 0', songId: genre.songs[0] ?? '' } }
  const recognise = { body: { address: 'https://www.deezer.com/track/1' } }
  await ada.call(searchPreview, cached)
  expect(await search(ada)).toBe(200)
  await ada.call(recogniseSong, recognise)
  await app.db`update limit_counters set count = count + 37 where key = ${`lookups:${ada.id}`}`

  const before = deezer.requests.length
  expect((await ada.call(searchPreview, cached)).status).toBe(200)
  expect(await search(bob)).toBe(200)
  expect(await search(ada)).toBe(429)
  expect((await ada.call(recogniseSong, recognise)).status).toBe(429)
  expect(await ada.call(searchPreview, { query: { artist: 'A', title: 'B' } })).toMatchObject({
    status: 429,
    body: { message: 'Too many songs were looked up. Please wait a minute.' },
  })
  expect(deezer.requests).toHaveLength(before + 1)
})

test('when the track is gone the song is searched again', async () => {
  const genre = await makeMicrogenre(app.db, 1)
  await app.db`update songs set deezer_track_id = '1' where id = ${genre.songs[0] ?? ''}`
  const { body } = await ada.call(searchPreview, {
    query: { artist: 'Artist 0', title: 'Song 0', songId: genre.songs[0] ?? '' },
  })

  expect(body.success).toBe(true)
  expect(deezer.requests).toEqual(['/track/1', 'artist:"Artist 0" track:"Song 0"'])
})

test('a song that Deezer does not have answers without a preview', async () => {
  deezer.answer('nothing')
  const { status, body } = await ada.call(searchPreview, { query: { artist: 'Nobody', title: 'Nothing' } })

  expect({ status, body }).toEqual({ status: 200, body: NOT_FOUND })
})

test.each(['quota', 'down'] as const)(
  'when Deezer answers %s there is no preview and no error',
  async (mode) => {
    deezer.answer(mode)
    const { status, body } = await ada.call(searchPreview, { query: { artist: 'A', title: 'B' } })

    expect({ status, body }).toEqual({ status: 200, body: SERVICE_DOWN })
  },
)

test('when Deezer hangs the response takes less than five seconds', async () => {
  deezer.answer('slow')
  const { status, body } = await ada.call(searchPreview, { query: { artist: 'A', title: 'B' } })

  // After five seconds it would be the deadline's 503.
  expect({ status, body }).toEqual({ status: 200, body: SERVICE_DOWN })
})

test('when Deezer is unreachable the circuit breaker opens', async () => {
  app.renewServices({ DEEZER_URL: 'http://127.0.0.1:9' })
  for (let i = 0; i < 7; i++) {
    expect((await ada.call(searchPreview, { query: { artist: 'A', title: 'B' } })).body).toEqual(SERVICE_DOWN)
  }
  app.renewServices()
  deezer.answer('down')
  const bob = await app.signIn()
  for (let i = 0; i < 7; i++) await bob.call(searchPreview, { query: { artist: 'A', title: 'B' } })

  expect(deezer.requests).toHaveLength(5)
})

test('recordings of the same name and recordings without a preview are not used', async () => {
  const wrong = await serve([
    { id: 1, title: 'Song 0', preview: 'https://x/1', artist: { name: 'Karaoke Kings' }, album: {} },
    {
      id: 2,
      title: 'Song 0 (Live at Wembley)',
      preview: 'https://x/2',
      artist: { name: 'A Tribute to Artist 0' },
    },
    { id: 3, title: 'Song 0', preview: '', artist: { name: 'Artist 0' } },
    { title: 'Song 0', preview: 'https://x/4', artist: { name: 'Artist 0' } },
  ])
  app.renewServices({ DEEZER_URL: wrong.url })
  const genre = await makeMicrogenre(app.db, 1)
  const { status, body } = await ada.call(searchPreview, {
    query: { artist: 'Artist 0', title: 'Song 0', songId: genre.songs[0] ?? '' },
  })
  await wrong.close()

  expect({ status, body }).toEqual({ status: 200, body: NOT_FOUND })
  expect((await nextSong(ada, genre.id))?.deezerId).toBeNull()
})

test('the best of several results is used, and its cover is stored on a song without one, also beside a video', async () => {
  const several = await serve([
    { id: 1, title: 'Song 0 again', preview: 'https://x/1', artist: { name: 'Artist 0' } },
    {
      id: 2,
      title: 'Song 0 (Remastered 2009)',
      preview: 'https://x/2',
      artist: { name: 'ARTIST 0' },
      album: { cover_xl: 'https://x/art.jpg' },
    },
  ])
  app.renewServices({ DEEZER_URL: several.url })
  const genre = await makeMicrogenre(app.db, 1)
  await app.db`update songs set youtube_id = 'covertest_0' where id = ${genre.songs[0] ?? ''}`
  const { body } = await ada.call(searchPreview, {
    query: { artist: 'Artist 0', title: 'Song 0', songId: genre.songs[0] ?? '' },
  })
  await several.close()

  expect(body.result).toEqual({ source: 'deezer', previewUrl: 'https://x/2', albumArt: 'https://x/art.jpg' })
  expect(await nextSong(ada, genre.id)).toMatchObject({
    deezerId: 'https://x/2',
    albumArt: 'https://x/art.jpg',
  })
})

test('with an unknown song id the preview is found by artist and title, and not stored', async () => {
  const { body } = await ada.call(searchPreview, { query: { artist: 'A', title: 'B', songId: '999999999' } })

  expect(body.success).toBe(true)
})

test('quotes cannot widen the search', async () => {
  await ada.call(searchPreview, { query: { artist: 'a" label:"x', title: 'b&limit=1#' } })

  expect(deezer.requests).toEqual(['artist:"a  label: x" track:"b&limit=1#"'])
})

// Runs last, because its queued requests are sent after it.
test('more requests at once than Deezer allows all get a response in time, without an error', async () => {
  const listeners = [await app.signIn(), await app.signIn()]
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      listeners[i % 2]?.call(searchPreview, { query: { artist: 'Artist', title: `Song ${i}` } }),
    ),
  )

  // Deezer allows 40 at once. After five seconds the queued ones get a Retry-After.
  const statuses = answers.map((answer) => answer?.status)
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(40)
})

/** A Deezer that returns these tracks for every search. */
async function serve(data: object[]) {
  const { port, close } = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  })
  return { url: `http://127.0.0.1:${port}`, close }
}
