import { type Deezer, startDeezer } from './deezer.ts'
import { type Spotify, startSpotify } from './spotify.ts'
import { startYoutubeApi, type YoutubeApi } from './youtubeApi.ts'

/** Every service that the server calls. */
export interface Outside {
  deezer: Deezer
  spotify: Spotify
  youtube: YoutubeApi
  /** Their addresses and keys. */
  env: Record<string, string>
  /** Only their addresses. */
  withoutKeys: Record<string, string>
  reset(): void
  close(): Promise<void>
}

export async function startOutside(): Promise<Outside> {
  const [deezer, spotify, youtube] = await Promise.all([startDeezer(), startSpotify(), startYoutubeApi()])
  const withoutKeys = {
    DEEZER_URL: deezer.url,
    SPOTIFY_ACCOUNTS_URL: spotify.url,
    SPOTIFY_API_URL: spotify.url,
    YOUTUBE_API_URL: youtube.apiUrl,
    YOUTUBE_OEMBED_URL: youtube.oembedUrl,
  }
  return {
    deezer,
    spotify,
    youtube,
    withoutKeys,
    env: {
      ...withoutKeys,
      SPOTIFY_CLIENT_ID: spotify.clientId,
      SPOTIFY_CLIENT_SECRET: spotify.clientSecret,
      YOUTUBE_API_KEY: youtube.key,
    },
    reset() {
      for (const service of [deezer, spotify, youtube]) service.reset()
    },
    async close() {
      await Promise.all([deezer.close(), spotify.close(), youtube.close()])
    },
  }
}
