import { MAX_OWN_SUGGESTIONS, type OwnSuggestion } from '../../contract/suggestions.ts'
import type { Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { type CandidateSong, readCatalogueSongs } from './catalogueSongs.ts'
import { songKey } from './songKey.ts'

type Row = Omit<OwnSuggestion, 'song' | 'createdAt' | 'decidedAt'> & {
  songId: string | null
  isWithdrawn: boolean
  createdAt: Date
  decidedAt: Date | null
}

/** The listener's suggestions, newest first (desk-7); with `id` only that one. */
export async function listOwnSuggestions(
  db: Queryable,
  env: Env,
  listener: string,
  id: string | null = null,
): Promise<OwnSuggestion[]> {
  const rows = await db<Row[]>`
    select g.id, g.title, g.artist, g.year, g.microgenre_id, m.name as microgenre, g.address, g.state, g.reason,
      coalesce((select count(*) from suggestion_votes o
        where o.suggestion_id = g.id and o.withdrawn_at is null), 0)::int as votes,
      g.song_id, v.withdrawn_at is not null as is_withdrawn, v.created_at, g.decided_at
    from suggestion_votes v
    join suggestions g on g.id = v.suggestion_id
    join microgenres m on m.id = g.microgenre_id
    where v.user_id = ${listener} and g.id = coalesce(${id}::bigint, g.id)
    order by v.created_at desc, g.id desc limit ${MAX_OWN_SUGGESTIONS}`
  const songs = await readCatalogueSongs(
    db,
    env,
    rows.flatMap(({ songId }) => songId ?? []),
  )
  return rows.map(({ songId, isWithdrawn, createdAt, decidedAt, ...row }) => ({
    ...row,
    ...(isWithdrawn ? { state: 'withdrawn' as const, reason: null } : {}),
    song: (songId && !isWithdrawn && songs.get(songId)) || null,
    createdAt: createdAt.toISOString(),
    decidedAt: isWithdrawn ? null : (decidedAt?.toISOString() ?? null),
  }))
}

interface OpenSuggestion {
  id: string
  /** Listeners who voted for it. */
  votes: number
}

/** The open suggestion of a song, by title and artist or by one of its ids. */
export async function findOpenSuggestion(db: Queryable, song: CandidateSong): Promise<OpenSuggestion | null> {
  const key = songKey(song.artist, song.title)
  const [row] = await db<OpenSuggestion[]>`
    select g.id, coalesce((select count(*) from suggestion_votes v
      where v.suggestion_id = g.id and v.withdrawn_at is null), 0)::int as votes
    from suggestions g
    where g.state = 'waiting' and (g.song_key = ${key} or g.youtube_id = ${song.youtubeId ?? null}
      or g.spotify_id = ${song.spotifyId ?? null} or g.deezer_track_id = ${song.deezerTrackId ?? null}
      or g.recording_mbid = ${song.recordingMbid ?? null})
    order by g.song_key = ${key} desc, g.id limit 1`
  return row ?? null
}

/** A song that the catalogue found itself (catalogue-13). */
interface Proposal {
  title: string
  artist: string
  year: number | null
  recordingMbid: string
  /** The evidence for it, of 100. */
  score: number
}

/** Whether a song waits at the desk or was rejected there; null when neither. */
export async function findDeskState(
  db: Queryable,
  { title, artist, recordingMbid }: Pick<Proposal, 'title' | 'artist'> & Partial<Proposal>,
): Promise<'waiting' | 'rejected' | null> {
  const [found] = await db<{ state: 'waiting' | 'rejected' }[]>`
    select state from suggestions
    where (song_key = ${songKey(artist, title)} or recording_mbid = ${recordingMbid ?? null})
      and state in ('waiting', 'rejected')
    order by state desc limit 1`
  return found?.state ?? null
}

/** Suggests a song without a listener (desk-21). Returns the suggestion's id; null when one waits already. */
export async function proposeSong(
  db: Queryable,
  microgenreId: string,
  { title, artist, year, recordingMbid, score }: Proposal,
): Promise<string | null> {
  const [inserted] = await db<{ id: string }[]>`
    insert into suggestions (song_key, title, artist, year, microgenre_id, address, service, recording_mbid, found_score)
    values (${songKey(artist, title)}, ${title}, ${artist}, ${year}, ${microgenreId},
      ${`https://musicbrainz.org/recording/${recordingMbid}`}, 'musicbrainz', ${recordingMbid}, ${score})
    on conflict do nothing returning id`
  return inserted?.id ?? null
}
