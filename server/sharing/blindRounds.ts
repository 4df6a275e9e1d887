import { randomBytes } from 'node:crypto'
import {
  type compareVerdicts as compareEndpoint,
  MAX_ROUND_RESULTS,
  MIN_OF_EACH_VERDICT,
  type OwnBlindRound,
  ROUND_SONGS,
  type Verdict,
} from '../../contract/blindRounds.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { Sharer } from '../../contract/sharing.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { playsSurely, toVisitorSong } from '../visitors/visitorSong.ts'
import { readRatedSongs } from './ratedSongs.ts'
import { isShareToken } from './shareTokens.ts'

export async function getBlindRound(db: Database, listener: string): Promise<OwnBlindRound | null> {
  const [round] = await db<OwnBlindRound[]>`
    select token as share_token, results from blind_rounds b where user_id = ${listener} and ${hasSongs(db)}`
  return round ?? null
}

/** Whether the round `b` has songs left: without, it is gone (sharing-31). */
const hasSongs = (db: Database) => db`
  exists (
    select from ratings r join songs s on s.id = r.song_id join microgenres m on m.id = s.microgenre_id
    where r.user_id = b.user_id and r.song_id = any(b.song_ids) and s.retired_at is null and m.retired_at is null)`

/** For the operator: ends a round. Returns its maker, or null for an unknown token. */
export async function revokeBlindRound(db: Database, token: string): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    delete from blind_rounds where token = ${token} returning user_id`
  return row?.userId ?? null
}

/**
 * Makes a round of the listener's newest ratings at random, unless there is one (sharing-31).
 * @throws HttpError 409 for too few ratings of songs that play.
 */
export async function shareBlindRound(db: Database, listener: string): Promise<OwnBlindRound> {
  const round = await getBlindRound(db, listener)
  if (round) return round
  const songs = await db<{ songId: string; banger: boolean }[]>`
    with playable as (
      select r.song_id, r.banger, row_number() over (partition by r.banger order by random()) as place
      from (
        ${newestRatings(db, listener, true)} union all ${newestRatings(db, listener, false)}
      ) r join songs s on s.id = r.song_id join microgenres m on m.id = s.microgenre_id
      where m.retired_at is null and ${playsSurely(db)}
    ), chosen as (
      select * from playable order by place > ${MIN_OF_EACH_VERDICT}::int, random() limit ${ROUND_SONGS})
    select song_id, banger from chosen order by random()`
  const bangers = songs.filter(({ banger }) => banger).length
  if (songs.length < ROUND_SONGS || Math.min(bangers, ROUND_SONGS - bangers) < MIN_OF_EACH_VERDICT)
    throw new HttpError(409, TOO_FEW)
  await db`delete from blind_rounds b where user_id = ${listener} and not ${hasSongs(db)}`
  await db`
    insert into blind_rounds (user_id, token, song_ids)
    values (${listener}, ${randomBytes(24).toString('base64url')}, ${songs.map(({ songId }) => songId)})
    on conflict do nothing`
  return shareBlindRound(db, listener)
}

/** Ratings of each verdict from which a round is chosen. */
const MAX_CHOICE = 1000

const newestRatings = (db: Database, listener: string, banger: boolean) => db`
  (select song_id, banger from ratings
   where user_id = ${listener} and banger = ${banger} and rated_at > '-infinity'
   order by rated_at desc limit ${MAX_CHOICE})`

const TOO_FEW = `A round needs ${ROUND_SONGS} rated songs that play, at least ${MIN_OF_EACH_VERDICT} bangers and ${MIN_OF_EACH_VERDICT} busts. Rate a few more first.`

/**
 * A round with today's verdicts, or null for an unknown token. A song whose rating was removed is left out; a round without
 * songs is gone (sharing-31).
 */
export async function readBlindRound(db: Database, env: Env, token: string) {
  if (!isShareToken(token)) return null
  const [round] = await db<(Sharer & { owner: string; songIds: string[]; createdAt: Date })[]>`
    select r.user_id as owner, r.song_ids, r.created_at, u.first_name, u.last_name, u.profile_image_url
    from blind_rounds r join users u on u.id = r.user_id and u.suspended_at is null where r.token = ${token}`
  if (!round) return null
  const { owner, songIds, createdAt, ...user } = round
  const rows = await readRatedSongs(db, owner, songIds)
  if (rows.length === 0) return null
  const verdicts = rows.map(({ songId, banger }): Verdict => ({ songId, rating: banger ? 'banger' : 'bust' }))
  const songs = rows.map((row) => toVisitorSong(row, env))
  return { owner, createdAt: createdAt.toISOString(), user, songs, verdicts }
}

/**
 * The maker's verdicts, once the visitor has rated all songs (sharing-32), or null for an unknown token. With `result` the
 * maker sees on how many both agree (sharing-33).
 * @throws HttpError 409 for a song without a verdict, and for one result too many.
 */
export async function compareVerdicts(
  db: Database,
  env: Env,
  token: string,
  { verdicts, result }: BodyOf<typeof compareEndpoint>,
): Promise<{ verdicts: Verdict[] } | null> {
  const round = await readBlindRound(db, env, token)
  if (!round) return null
  const ratings = new Map(verdicts.map(({ songId, rating }) => [songId, rating]))
  if (round.verdicts.some(({ songId }) => !ratings.has(songId)))
    throw new HttpError(409, 'Songs of this round have no verdict. Please open it again.')
  if (result) {
    const agreed = round.verdicts.filter(({ songId, rating }) => ratings.get(songId) === rating).length
    const entry = { ...result, agreed, songs: round.songs.length, createdAt: new Date().toISOString() }
    const { count } = await db`
      update blind_rounds set results = ${db.json([entry])} || results
      where token = ${token} and jsonb_array_length(results) < ${MAX_ROUND_RESULTS}`
    if (count === 0) throw new HttpError(409, 'This round takes no more results.')
  }
  return { verdicts: round.verdicts }
}
