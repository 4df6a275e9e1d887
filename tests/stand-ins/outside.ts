import { startCoverart } from './coverart.ts'
import { startDeezer } from './deezer.ts'
import { startDiscogs } from './discogs.ts'
import { startListenbrainz } from './listenbrainz.ts'
import { startMusicbrainz } from './musicbrainz.ts'
import { startSpotify } from './spotify.ts'
import { startWikidata } from './wikidata.ts'
import { startYoutubeApi } from './youtubeApi.ts'

export type Outside = Awaited<ReturnType<typeof startOutside>>

/** Every service that the server calls, but the Internet Archive. */
export async function startOutside() {
  const services = {
    coverart: await startCoverart(),
    deezer: await startDeezer(),
    discogs: await startDiscogs(),
    listenbrainz: await startListenbrainz(),
    musicbrainz: await startMusicbrainz(),
    spotify: await startSpotify(),
    wikidata: await startWikidata(),
    youtube: await startYoutubeApi(),
  }
  const { coverart, deezer, discogs, listenbrainz, musicbrainz, spotify, wikidata, youtube } = services
  /** Their addresses. */
  const withoutKeys: Record<string, string> = {
    COVERART_URL: coverart.url,
    DEEZER_URL: deezer.url,
    DISCOGS_URL: discogs.url,
    LISTENBRAINZ_URL: listenbrainz.url,
    MUSICBRAINZ_URL: musicbrainz.url,
    WIKIDATA_URL: wikidata.url,
    SPOTIFY_ACCOUNTS_URL: spotify.url,
    SPOTIFY_API_URL: spotify.url,
    YOUTUBE_API_URL: youtube.apiUrl,
    YOUTUBE_OEMBED_URL: youtube.oembedUrl,
  }
  /** With their keys. */
  const env: Record<string, string> = {
    ...withoutKeys,
    LISTENBRAINZ_TOKEN: listenbrainz.token,
    SPOTIFY_CLIENT_ID: spotify.clientId,
    SPOTIFY_CLIENT_SECRET: spotify.clientSecret,
    YOUTUBE_API_KEY: youtube.key,
  }
  return {
    ...services,
    withoutKeys,
    env,
    reset() {
      for (const service of Object.values(services)) service.reset()
    },
    async close() {
      await Promise.all(Object.values(services).map((service) => service.close()))
    },
  }
}
