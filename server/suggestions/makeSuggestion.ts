import type { BodyOf } from '../../contract/endpoint.ts'
import {
  MAX_SUGGESTIONS_PER_DAY,
  type OwnSuggestion,
  type suggestSong as suggestEndpoint,
} from '../../contract/suggestions.ts'
import type { Database, Transaction } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError, serviceBusy, signInRequired } from '../http/HttpError.ts'
import { type CandidateSong, findCatalogueSongs } from './catalogueSongs.ts'
import { NO_IDS, parseSongAddress, type SongAddress } from './songAddress.ts'
import { songKey } from './songKey.ts'
import { findOpenSuggestion, listOwnSuggestions } from './suggestions.ts'

/** Days after which an account is no longer new (desk-6). */
const NEW_ACCOUNT_DAYS = 7

/**
 * Suggests a song, or adds a vote to its open suggestion (desk-5). A listener's suggestions are serialised, so that
 * several tabs do not exceed the limit.
 * @throws HttpError 400 for an address that is not a song's, 404 for an unknown microgenre, 409 for a song of the
 * catalogue, 429 after the last suggestion of the day.
 */
export async function makeSuggestion(
  db: Database,
  env: Env,
  listener: string,
  input: BodyOf<typeof suggestEndpoint>,
): Promise<{ suggestion: OwnSuggestion; isVote: boolean; left: number }> {
  const songAddress = input.address ? parseSongAddress(input.address) : null
  if (songAddress && 'refusal' in songAddress) throw new HttpError(400, songAddress.refusal)
  const candidate = { ...NO_IDS, ...songAddress?.ids, title: input.title, artist: input.artist }
  return db.begin(async (tx) => {
    const isNew = await lockListener(tx, listener)
    const [genre] = await tx`select from microgenres where id = ${input.microgenreId} and retired_at is null`
    if (!genre) throw new HttpError(404, 'There is no such microgenre.')
    const [[known] = []] = await findCatalogueSongs(tx, env, [candidate])
    if (known) throw new HttpError(409, `This song is here already, in ${known.microgenre}.`)
    const { id, others, isOwn } = await findOrCreateSuggestion(tx, listener, candidate, songAddress, input)
    const { used, wait } = await readDailyUse(tx, listener, isNew)
    const max = isNew ? MAX_SUGGESTIONS_PER_DAY.newAccount : MAX_SUGGESTIONS_PER_DAY.account
    if (!isOwn && wait !== null) throw tooManySuggestions(isNew, max, wait)
    await tx`
      insert into suggestion_votes as v (suggestion_id, user_id) values (${id}, ${listener})
      on conflict (suggestion_id, user_id) do update set withdrawn_at = null, created_at = now()
      where v.withdrawn_at is not null`
    const [suggestion] = await listOwnSuggestions(tx, env, listener, id)
    if (!suggestion) throw new Error('A new vote is gone.')
    return { suggestion, isVote: others > 0, left: Math.max(0, max - used - (isOwn ? 0 : 1)) }
  })
}

/** Suggestions that the listener can still make within 24 hours (desk-6). */
export async function countSuggestionsLeft(db: Database, listener: string): Promise<number> {
  const [row] = await db<{ isNew: boolean; used: number }[]>`
    select created_at > now() - ${NEW_ACCOUNT_DAYS} * interval '1 day' as is_new,
      coalesce((select count(*) from suggestion_votes v
        where v.user_id = u.id and v.created_at > now() - interval '1 day'), 0)::int as used
    from users u where u.id = ${listener}`
  if (!row) throw signInRequired()
  return Math.max(0, MAX_SUGGESTIONS_PER_DAY[row.isNew ? 'newAccount' : 'account'] - row.used)
}

/** Whether the account is new. @throws HttpError 401 when it was just deleted. */
async function lockListener(tx: Transaction, listener: string): Promise<boolean> {
  const [user] = await tx<{ isNew: boolean }[]>`
    select created_at > now() - ${NEW_ACCOUNT_DAYS} * interval '1 day' as is_new
    from users where id = ${listener} for no key update`
  if (!user) throw signInRequired()
  return user.isNew
}

/** Suggestions of the last 24 hours, and the seconds until the next one when the limit is reached. */
async function readDailyUse(tx: Transaction, listener: string, isNew: boolean) {
  const max = isNew ? MAX_SUGGESTIONS_PER_DAY.newAccount : MAX_SUGGESTIONS_PER_DAY.account
  const rows = await tx<{ wait: number }[]>`
    select ceil(extract(epoch from created_at + interval '1 day' - now()))::int as wait
    from suggestion_votes where user_id = ${listener} and created_at > now() - interval '1 day'
    order by created_at desc`
  return { used: rows.length, wait: rows[max - 1]?.wait ?? null }
}

const tooManySuggestions = (isNew: boolean, max: number, wait: number) =>
  new HttpError(
    429,
    isNew
      ? `You can suggest ${max} songs a day in your first week. Please come back tomorrow.`
      : `You can suggest ${max} songs a day. Please come back tomorrow.`,
    { retryAfter: Math.max(wait, 1) },
  )

/** Retries, because the suggestion may be created, withdrawn or decided meanwhile. */
const MAX_TRIES = 5

/** The open suggestion of the song, locked against decisions; a new one when there is none. */
async function findOrCreateSuggestion(
  tx: Transaction,
  listener: string,
  candidate: CandidateSong & SongAddress['ids'],
  songAddress: SongAddress | null,
  { microgenreId, year }: BodyOf<typeof suggestEndpoint>,
): Promise<{ id: string; others: number; isOwn: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const [inserted] = await tx<{ id: string }[]>`
      insert into suggestions (song_key, title, artist, year, microgenre_id, address, service, youtube_id, spotify_id,
        deezer_track_id, recording_mbid)
      values (${songKey(candidate.artist, candidate.title)}, ${candidate.title}, ${candidate.artist}, ${year ?? null},
        ${microgenreId}, ${songAddress?.address ?? null}, ${songAddress?.service ?? null}, ${candidate.youtubeId},
        ${candidate.spotifyId}, ${candidate.deezerTrackId}, ${candidate.recordingMbid})
      on conflict do nothing returning id`
    if (inserted) return { id: inserted.id, others: 0, isOwn: false }
    const open = await findOpenSuggestion(tx, candidate)
    const [openRow] = open
      ? await tx<{ id: string; others: number; isOwn: boolean }[]>`
          select g.id,
            coalesce((select count(*) from suggestion_votes v
              where v.suggestion_id = g.id and v.withdrawn_at is null and v.user_id <> ${listener}), 0)::int as others,
            exists (select from suggestion_votes v
              where v.suggestion_id = g.id and v.withdrawn_at is null and v.user_id = ${listener}) as is_own
          from suggestions g where g.id = ${open.id} and g.state = 'waiting' for share of g`
      : []
    if (openRow) return openRow
  }
  throw serviceBusy()
}

/**
 * Withdraws the listener's vote, and a suggestion without votes (desk-7), unless the catalogue found it (desk-21).
 * @throws HttpError 404 for a suggestion that is not the listener's, 409 when it was decided.
 */
export async function withdrawVote(
  db: Database,
  listener: string,
  id: string,
): Promise<{ success: boolean }> {
  return db.begin(async (tx) => {
    const [row] = await tx<{ state: string; isWithdrawn: boolean }[]>`
      select g.state, v.withdrawn_at is not null as is_withdrawn
      from suggestions g join suggestion_votes v on v.suggestion_id = g.id
      where g.id = ${id} and v.user_id = ${listener} for update of g`
    if (!row) throw new HttpError(404, 'You have made no such suggestion.')
    if (row.isWithdrawn) return { success: true }
    if (row.state !== 'waiting') throw new HttpError(409, 'This suggestion has been decided.')
    await tx`
      update suggestion_votes set withdrawn_at = now() where suggestion_id = ${id} and user_id = ${listener}`
    await tx`
      update suggestions g set state = 'withdrawn' where g.id = ${id} and g.found_score is null and not exists (
        select from suggestion_votes v where v.suggestion_id = g.id and v.withdrawn_at is null)`
    return { success: true }
  })
}
