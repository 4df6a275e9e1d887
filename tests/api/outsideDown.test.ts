import { expect, test } from 'vitest'
import * as diagnostics from '../../contract/diagnostics.ts'
import { listRatings } from '../../contract/library.ts'
import { searchPreview } from '../../contract/playback.ts'
import { findMicrogenre, rateOn } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'

const NOWHERE = 'http://127.0.0.1:9'

/** Every outside service is configured, and none is reachable. */
const app = setUpApp({
  DEEZER_URL: NOWHERE,
  SPOTIFY_ACCOUNTS_URL: NOWHERE,
  SPOTIFY_API_URL: NOWHERE,
  SPOTIFY_CLIENT_ID: 'id',
  SPOTIFY_CLIENT_SECRET: 'secret',
  YOUTUBE_API_KEY: 'key',
  YOUTUBE_API_URL: NOWHERE,
  YOUTUBE_OEMBED_URL: NOWHERE,
})

test('with all outside services down listeners sign in, rate a whole microgenre and see their library', async () => {
  const ada = await app.signIn()
  const genre = await findMicrogenre(app.db, 'dub-techno')
  const heard = await rateOn(ada, genre.id)
  const { status, body } = await ada.call(listRatings, { query: { type: 'banger' } })

  expect(heard).toHaveLength(genre.songs.length)
  expect(status).toBe(200)
  expect(body).toHaveLength(genre.songs.length)
})

test('with all outside services down every tool says what is missing', async () => {
  const ada = await app.signIn()
  const query = { artist: 'Slowdive', title: 'Alison' }
  const answers = {
    preview: await ada.call(searchPreview, { query }),
    spotify: await ada.call(diagnostics.searchSpotify, { query }),
    replacement: await ada.call(diagnostics.findReplacement, { body: query }),
    video: await ada.call(diagnostics.verifyVideo, { params: { videoId: 'abcdefghijk' } }),
    availability: await ada.call(diagnostics.testPreviewAvailability),
    status: await ada.call(diagnostics.getAuthStatus),
    samples: await ada.call(diagnostics.getSamples),
  }

  expect(answers).toMatchObject({
    preview: {
      status: 200,
      body: { success: false, message: 'The preview service does not answer right now.' },
    },
    spotify: { status: 502, body: { message: 'Spotify does not answer right now.' } },
    replacement: { status: 502, body: { message: 'YouTube does not answer right now.' } },
    video: { status: 502, body: { message: 'YouTube does not answer right now.' } },
    availability: { status: 502, body: { message: 'The preview service does not answer right now.' } },
    status: { status: 200, body: { database: 'connected' } },
    samples: { status: 200 },
  })
})
