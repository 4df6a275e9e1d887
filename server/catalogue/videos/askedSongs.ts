import type { Database, Queryable } from '../../db/connection.ts'
import { createProviderCache } from '../../integrations/providerCache.ts'
import { lacksVideo } from './videoCandidates.ts'

/** A song without a video that plays. */
export interface Song {
  id: string
  artist: string
  title: string
  durationMs: number | null
  recordingMbid: string | null
  blockedVideoId: string | null
  /** What the search depends on, as one text: a song that changes is asked about again. */
  facts: string
}

/** Seconds until a song without a video is asked about again. */
const ASKED_AGAIN = 30 * 24 * 3600

const PROVIDERS = { links: 'video-links', search: 'video-search' }

type Step = keyof typeof PROVIDERS

/** `facts` of `songs s`. */
export const facts = (db: Queryable) => db`
  md5(jsonb_build_array(s.artist, s.title, s.duration_ms, s.recording_mbid, s.blocked_video_id)::text)`

/** Whether `songs s` was asked about lately. */
export const wasAsked = (db: Queryable, step: Step) => db`
  exists (select from provider_cache c
          where c.provider = ${PROVIDERS[step]} and c.key = s.id::text and c.expires_at > now()
            and c.value->>'facts' = ${facts(db)})`

/** Remembers that songs were asked about. */
export async function rememberAsked(db: Database, step: Step, songs: Song[]): Promise<void> {
  const asked = new Map(songs.map((song) => [song.id, { facts: song.facts }]))
  await createProviderCache(db, PROVIDERS[step]).write(asked, ASKED_AGAIN)
}

/** Songs without a video that were not asked about lately. */
export async function countUnasked(db: Database): Promise<number> {
  const [row] = await db<{ songs: number }[]>`
    select count(*)::int as songs from songs s
    where ${lacksVideo(db)} and (not ${wasAsked(db, 'search')}
      or s.recording_mbid is not null and not ${wasAsked(db, 'links')})`
  return row?.songs ?? 0
}
