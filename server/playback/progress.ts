import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'

/** Stores how far a listener heard a song: the maximum of all reports, up to the song's length (playback-20). */
export async function storeProgress(
  db: Database,
  listener: string,
  {
    songId,
    secondsListened,
    totalDuration,
  }: { songId: string; secondsListened: number; totalDuration: number },
): Promise<void> {
  const seconds = Math.min(secondsListened, totalDuration)
  const stored = await db`
    insert into listening_progress as p (user_id, song_id, seconds_listened, total_duration)
    select ${listener}, s.id, ${seconds}, ${totalDuration} from songs s
    where s.id = ${songId}
      -- A listener whose account is gone gets no new rows.
      and exists (select from listener_stats l where l.user_id = ${listener} for key share)
    on conflict (user_id, song_id) do update set
      seconds_listened = greatest(p.seconds_listened, least(excluded.seconds_listened, excluded.total_duration)),
      total_duration = greatest(p.seconds_listened, excluded.total_duration),
      updated_at = excluded.updated_at`
  if (stored.count === 0) throw new HttpError(404, 'There is no such song.')
}
