import { type Coverart, startCoverart } from './coverart.ts'
import { type Deezer, startDeezer } from './deezer.ts'
import { type Discogs, startDiscogs } from './discogs.ts'
import { type Listenbrainz, startListenbrainz } from './listenbrainz.ts'
import { type Musicbrainz, startMusicbrainz } from './musicbrainz.ts'
import { type Spotify, startSpotify } from './spotify.ts'
import { startWikidata, type Wikidata } from './wikidata.ts'
import { startYoutubeApi, type YoutubeApi } from './youtubeApi.ts'

/** Every service that the server calls. */
export interface Outside {
  coverart: Coverart
  deezer: Deezer
  discogs: Discogs
  listenbrainz: Listenbrainz
  musicbrainz: Musicbrainz
  spotify: Spotify
  wikidata: Wikidata
  youtube: YoutubeApi
  /** Their addresses and keys. */
  env: Record<string, string>
  /** Only their addresses. */
  withoutKeys: Record<string, string>
  reset(): void
  close(): Promise<void>
}

export async function startOutside(): Promise<Outside> {
  const [coverart, deezer, discogs, listenbrainz, musicbrainz, spotify, wikidata, youtube] =
    await Promise.all([
      startCoverart(),
      startDeezer(),
      startDiscogs(),
      startListenbrainz(),
      startMusicbrainz(),
      startSpotify(),
      startWikidata(),
      startYoutubeApi(),
    ])
  const all = [coverart, deezer, discogs, listenbrainz, musicbrainz, spotify, wikidata, youtube]
  const withoutKeys = {
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
  return {
    coverart,
    deezer,
    discogs,
    listenbrainz,
    musicbrainz,
    spotify,
    wikidata,
    youtube,
    withoutKeys,
    env: {
      ...withoutKeys,
      LISTENBRAINZ_TOKEN: listenbrainz.token,
      SPOTIFY_CLIENT_ID: spotify.clientId,
      SPOTIFY_CLIENT_SECRET: spotify.clientSecret,
      YOUTUBE_API_KEY: youtube.key,
    },
    reset() {
      for (const service of all) service.reset()
    },
    async close() {
      await Promise.all(all.map((service) => service.close()))
    },
  }
}
