import { expect, test } from '@playwright/test'
import { makeMicrogenre, nextSong, rateOn } from '../factories.ts'
import { signInAt } from '../harness/signInAt.ts'
import { startListenbrainz } from '../stand-ins/listenbrainz.ts'
import { startMusicbrainz } from '../stand-ins/musicbrainz.ts'
import { tagMusic } from '../stand-ins/taggedMusic.ts'
import { startTestServer } from './testServer.ts'

test('catalogue-16: a server with CATALOGUE_GROW gives a listener who runs low new songs, and stops cleanly', async () => {
  const [listenbrainz, musicbrainz] = await Promise.all([startListenbrainz(), startMusicbrainz()])
  const app = await startTestServer({
    CATALOGUE_GROW: 'true',
    LISTENBRAINZ_URL: listenbrainz.url,
    LISTENBRAINZ_TOKEN: listenbrainz.token,
    MUSICBRAINZ_URL: musicbrainz.url,
  })
  try {
    const genre = await makeMicrogenre(app.db, 3)
    tagMusic({ listenbrainz, musicbrainz }, genre.name.toLowerCase(), [{}, {}])
    const ada = await signInAt(app.url, 'ada@example.org')
    await rateOn(ada, genre.id)

    await expect.poll(() => nextSong(ada, genre.id)).not.toBeNull()
    expect(await nextSong(ada, genre.id)).toMatchObject({ title: 'Amber 0' })
    // She may be quicker than the server.
    const heard: string[] = []
    const hearOn = async () => heard.push(...(await rateOn(ada, genre.id)))
    await expect.poll(hearOn).toBe(2)
    expect(await app.stop()).toBe(0)
  } finally {
    await app.close()
    await Promise.all([listenbrainz.close(), musicbrainz.close()])
  }
})
