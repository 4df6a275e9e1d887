import type { Queryable } from '../db/connection.ts'
import { songKey } from './songKey.ts'

/** A song that the catalogue found itself (catalogue-13). */
interface Proposal {
  title: string
  artist: string
  year: number | null
  recordingMbid: string
  /** Of 100: how much speaks for it. */
  score: number
}

/** Whether a song waits at the desk or was rejected there, whoever asked for it. Null when neither. */
export async function findDeskState(
  db: Queryable,
  { title, artist, recordingMbid }: Proposal,
): Promise<'waiting' | 'rejected' | null> {
  const [found] = await db<{ state: 'waiting' | 'rejected' }[]>`
    select state from suggestions
    where (song_key = ${songKey(artist, title)} or recording_mbid = ${recordingMbid})
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
