import {
  type listMicrogenres as listMicrogenresCall,
  NEXT_MICROGENRES_LIMIT,
} from '../../contract/discovery.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import type { Preferences } from '../../contract/onboarding.ts'
import type { RecommendedMicrogenre } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import { HttpError } from '../http/HttpError.ts'
import { MIN_BANGERS } from '../taste/affinities.ts'
import {
  addRelation,
  type Fit,
  fitToAnswers,
  fitToMicrogenre,
  type MicrogenreCandidate,
  type MicrogenreTags,
  NO_FIT,
  type RelatedMicrogenre,
  recommend,
} from '../taste/recommend.ts'

type ListedMicrogenre = ResponseOf<typeof listMicrogenresCall>[number]

/** A microgenre with its figures and those of the listener. */
type ListenerMicrogenre = Omit<ListedMicrogenre, 'reason'> &
  MicrogenreCandidate &
  MicrogenreTags &
  RelatedMicrogenre & { ownBangers: number }

/** Affinities and relations are those to the microgenres in which the listener has most bangers. */
const MAX_LIKED_MICROGENRES = 20

/**
 * All microgenres by name, with the songs left in the current pass. `done` includes retired songs, which are
 * subtracted.
 */
export async function readMicrogenres(db: Database, listener: string): Promise<ListenerMicrogenre[]> {
  return db<ListenerMicrogenre[]>`
    select m.id, m.key, m.name, m.family, m.energy, m.vocals, m.familiarity, m.mood, m.relatives, m.description, m.color,
      m.live_song_count as song_count, coalesce(t.ratings, 0) as ratings, coalesce(t.bangers, 0) as banger_count,
      greatest(m.live_song_count - coalesce(own.done, 0) + coalesce(retired.done, 0), 0)::int as unrated_count,
      coalesce(own.bangers, 0) as own_bangers,
      case when own.pass > 1 or own.pass_position > 0 then 0 else coalesce(known.plays, 0) end as plays, coalesce(everybody.listeners, 0) as listeners,
      near.affinity, near.name as liked_name
    from microgenres m
    left join microgenre_totals t on t.microgenre_id = m.id
    left join listener_genres own on own.user_id = ${listener} and own.microgenre_id = m.id
    left join lateral (
      select count(*) as done from songs s
      left join ratings r on r.user_id = ${listener} and r.song_id = s.id and r.pass = own.pass
      left join not_now n on n.user_id = ${listener} and n.microgenre_id = m.id and n.song_id = s.id
        and n.pass = own.pass
      where s.microgenre_id = m.id and s.retired_at is not null
        and (r.song_id is not null or n.let_go_at is not null)
    ) retired on own.done > 0 and m.live_song_count < m.song_count
    left join (
      select k.microgenre_id, sum(k.plays)::float8 as plays from known_songs k
      where k.user_id = ${listener} group by k.microgenre_id
    ) known on known.microgenre_id = m.id
    left join microgenre_affinities everybody on everybody.microgenre_id = m.id and everybody.other_id = m.id
    left join (
      select distinct on (a.other_id) a.other_id, a.affinity, liked.name
      from (
        select g.microgenre_id, m.name
        from listener_genres g join microgenres m on m.id = g.microgenre_id
        where g.user_id = ${listener} and g.bangers >= ${MIN_BANGERS} and m.retired_at is null
        order by g.bangers desc, g.microgenre_id limit ${MAX_LIKED_MICROGENRES}
      ) liked
      join microgenre_affinities a on a.microgenre_id = liked.microgenre_id and a.other_id <> a.microgenre_id
      order by a.other_id, a.affinity desc, a.microgenre_id
    ) near on near.other_id = m.id
    where m.retired_at is null
    order by lower(m.name)`
}

/** The microgenres in which the listener bangs, most first. */
export const likedAmong = (all: readonly ListenerMicrogenre[]) =>
  all
    .filter(({ ownBangers }) => ownBangers >= MIN_BANGERS)
    .sort((one, other) => other.ownBangers - one.ownBangers)
    .slice(0, MAX_LIKED_MICROGENRES)

/** All microgenres by name. Recommended ones have a reason (discover-1). */
export async function listMicrogenres(db: Database, listener: string): Promise<ListedMicrogenre[]> {
  const all = await readMicrogenres(db, listener)
  const recommended = await recommendNext(db, listener, all, NEXT_MICROGENRES_LIMIT, null)
  const reasons = new Map(recommended.map(({ id, reason }) => [id, reason]))
  return all.map((microgenre) => ({ ...microgenre, reason: reasons.get(microgenre.id) ?? null }))
}

/** Microgenres with songs left, to continue with after `exclude` (discover-28). */
export async function suggestMicrogenres(
  db: Database,
  listener: string,
  { exclude, limit }: { exclude?: string; limit: number },
): Promise<RecommendedMicrogenre[]> {
  const all = await readMicrogenres(db, listener)
  return recommendNext(db, listener, all, limit, all.find(({ id }) => id === exclude) ?? null)
}

/** The saved answers to the questionnaire; null for a listener who has not answered (onboarding-9). */
export async function readAnswers(db: Database, listener: string): Promise<Preferences | null> {
  const [row] = await db<Preferences[]>`
    select energy_preference, vocal_preference, familiarity_level, music_mood
    from preferences where user_id = ${listener}`
  return row ?? null
}

/**
 * Ranks by affinity, by relation, then by similarity to the completed microgenre; by the questionnaire's answers if the
 * listener does not bang in that one (discover-46).
 */
async function recommendNext(
  db: Database,
  listener: string,
  all: readonly ListenerMicrogenre[],
  limit: number,
  completed: ListenerMicrogenre | null,
) {
  const isLiked = completed !== null && completed.ownBangers >= MIN_BANGERS
  const answers = isLiked ? null : await readAnswers(db, listener)
  const liked = likedAmong(all)
  const known = completed && !answers && !liked.includes(completed) ? [...liked, completed] : liked
  function fitOf(microgenre: ListenerMicrogenre): Fit {
    if (answers) return addRelation(fitToAnswers(microgenre, answers), microgenre, known)
    return addRelation(completed ? fitToMicrogenre(microgenre, completed) : NO_FIT, microgenre, known)
  }
  return recommend(all, {
    limit,
    isEligible: ({ id, unratedCount }) => unratedCount > 0 && id !== completed?.id,
    rankBy: 'affinity',
    fitOf,
    seed: `${listener} ${completed?.key ?? ''}`,
  })
}

/** @throws HttpError 404 for an unknown microgenre. */
export async function restartMicrogenre(
  db: Database,
  listener: string,
  id: string,
): Promise<{ success: boolean }> {
  const [row] = await db<{ restarted: boolean }[]>`
    select ${functions}.restart_microgenre(${listener}, ${id}) as restarted`
  if (!row?.restarted) throw new HttpError(404, 'There is no such microgenre.')
  return { success: true }
}
