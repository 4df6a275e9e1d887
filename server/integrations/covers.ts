import type { Logger } from 'pino'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { MBID, userAgent } from './musicbrainz.ts'
import { throttleFor } from './rateLimiter.ts'
import { createService, ServiceFailure, type ServiceResponse } from './service.ts'

/** The picture is null when there is none; failures are values. */
type CoverAnswer = { picture: Buffer | null } | { error: string }

export interface Covers {
  /** The front of a release of MusicBrainz, from the Cover Art Archive. */
  fetchReleaseCover(releaseMbid: string): Promise<CoverAnswer>
  /** The picture at an address for which `isDeezerPicture`. */
  fetchDeezerCover(address: string): Promise<CoverAnswer>
}

/** Milliseconds. archive.org may take seconds; the cover is stored for the next listener. */
const COVER_TIMEOUTS = { timeout: 8000, totalTimeout: 12_000 }

/** Bytes. The fronts of 1200 pixels have some hundred thousand. */
const MAX_COVER_BYTES = 5_242_880

/** The archive has no limit. This is more than one listener can look at. */
const THROTTLE = { limit: 10, interval: 1000 }

/** The only hosts that are called, besides those configured. */
const ARCHIVE_HOST = 'archive.org'
const DEEZER_PICTURE_HOST = 'dzcdn.net'

/**
 * https://musicbrainz.org/doc/Cover_Art_Archive/API: the archive redirects (307) to archive.org, and that to one of
 * its machines. 404 is a release without a front.
 */
export function createCovers(env: Env, log: Logger, db: Queryable): Covers {
  const rules = { ...COVER_TIMEOUTS, bodyLimit: MAX_COVER_BYTES, isBinary: true }
  const archive = createService(log, db, {
    ...rules,
    name: 'Cover Art Archive',
    throttle: throttleFor(env.COVERART_URL, 'coverartarchive.org', THROTTLE),
    follow: (to) => allowedUrl(to, env.COVERART_URL, ARCHIVE_HOST),
  })
  const deezer = createService(log, db, {
    ...rules,
    name: 'Deezer covers',
    throttle: null,
    follow: (to) => allowedUrl(to, env.DEEZER_URL, DEEZER_PICTURE_HOST),
  })
  const headers = { Accept: 'image/*', 'User-Agent': userAgent(env) }

  return {
    async fetchReleaseCover(releaseMbid) {
      if (!MBID.test(releaseMbid)) return { picture: null }
      const url = new URL(`${env.COVERART_URL}/release/${releaseMbid}/front-1200`)
      const reply = await archive.ask(url, readPicture, { headers })
      return 'value' in reply ? { picture: reply.value } : { error: reply.failure }
    },

    async fetchDeezerCover(address) {
      const url = URL.canParse(address) && allowedUrl(new URL(address), env.DEEZER_URL, DEEZER_PICTURE_HOST)
      if (!url) return { picture: null }
      const reply = await deezer.ask(url, readPicture, { headers })
      return 'value' in reply ? { picture: reply.value } : { error: reply.failure }
    },
  }
}

/** Whether a song's art is Deezer's, which this server delivers, and not an operator's own. */
export const isDeezerPicture = (address: string, env: Env): boolean =>
  URL.canParse(address) && allowedUrl(new URL(address), env.DEEZER_URL, DEEZER_PICTURE_HOST) !== null

/** The address, unchanged at the configured origin, over https at a subdomain of `host`; null elsewhere. */
function allowedUrl(url: URL, configured: string, host: string): URL | null {
  if (url.origin === new URL(configured).origin) return url
  const isThere = url.hostname === host || url.hostname.endsWith(`.${host}`)
  if (!isThere || !/^https?:$/.test(url.protocol) || url.port || url.username) return null
  const secure = new URL(url)
  secure.protocol = 'https:'
  return secure
}

function readPicture({ status, type, body }: ServiceResponse): Buffer | null {
  // Gone, hidden by archive.org, or no id of a release: answers, unlike a time-out or a limit.
  if (status >= 400 && status < 500 && ![408, 425, 429].includes(status)) return null
  if (status !== 200) throw new ServiceFailure(`status ${status}`)
  if (!type.startsWith('image/') || !Buffer.isBuffer(body)) throw new ServiceFailure('not a picture')
  return body
}
