import type { SuggestionState } from '../../contract/suggestions.ts'
import { addSong, lockCatalogue, restoreSong, retireSong, type SongDetails } from '../catalogue/oneSong.ts'
import type { Queryable, Transaction } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { findCatalogueSongs } from '../suggestions/catalogueSongs.ts'
import {
  type CaseHandler,
  changesOf,
  conflict,
  type DecisionBody,
  type DecisionContext,
  type DecisionOutcome,
  noSuchCase,
  type StoredDecision,
} from './effect.ts'

type SuggestedSong = SongDetails & { microgenreId: string }

/** Decisions on a suggestion: approve, correct, merge and reject (desk-13, desk-14). */
export const SUGGESTION_CASES: CaseHandler<'approve' | 'correct' | 'merge' | 'reject'> = {
  async lock(tx, id) {
    const [row] = await tx<{ state: string }[]>`select state from suggestions where id = ${id} for update`
    if (!row) throw noSuchCase()
    return row.state === 'waiting'
  },
  effects: {
    approve: { decide: approve, undo: undoApproval, redo: redoApproval },
    correct: { decide: approve, undo: undoApproval, redo: redoApproval },
    merge: {
      async decide({ tx }, { subjectId, songId }) {
        const suggested = await readSuggested(tx, subjectId)
        if (!songId) throw new HttpError(400, 'songId: is missing')
        const [song] = await tx`select from songs where id = ${songId} and retired_at is null`
        if (!song) throw new HttpError(404, 'There is no such song.')
        await closeSuggestion(tx, subjectId, 'merged', { songId })
        return { label: labelOf(suggested), songId }
      },
      undo: reopenSuggestion,
      redo: ({ tx }, { subjectId, songId }) => closeSuggestion(tx, subjectId, 'merged', { songId }),
    },
    reject: {
      async decide({ tx }, { subjectId, reason }) {
        const suggested = await readSuggested(tx, subjectId)
        if (!reason) throw new HttpError(400, 'reason: is missing')
        await closeSuggestion(tx, subjectId, 'rejected', { reason })
        return { label: labelOf(suggested) }
      },
      undo: reopenSuggestion,
    },
  },
}

async function approve(
  { tx, env }: DecisionContext,
  { subjectId, action, changes = {} }: DecisionBody,
): Promise<DecisionOutcome> {
  const suggested = await readSuggested(tx, subjectId)
  if (action === 'correct' && Object.keys(changes).length === 0)
    throw new HttpError(400, 'changes: is missing')
  const song: SuggestedSong = { ...suggested, ...withoutUndefined(changes) }
  // Of two suggestions of one song that are approved at once, the second one sees the first one's song.
  await lockCatalogue(tx)
  const [[existing] = []] = await findCatalogueSongs(tx, env, [song])
  if (existing) {
    throw conflict(
      `${existing.title} by ${existing.artist} is in the catalogue already, in ${existing.microgenre}. Merge with it instead.`,
    )
  }
  const added = await addSong(tx, song.microgenreId, song)
  if ('refusal' in added) throw conflict(added.refusal)
  await closeSuggestion(tx, subjectId, 'approved', added)
  return { label: labelOf(song), songId: added.songId, changes: changesOf(suggested, song) }
}

/** The song is retired, not deleted, so ratings stay (desk-17). */
async function undoApproval(context: DecisionContext, decision: StoredDecision): Promise<void> {
  if (decision.songId) await retireSong(context.tx, decision.songId)
  await reopenSuggestion(context, decision)
}

async function redoApproval(
  { tx }: DecisionContext,
  { id, subjectId, songId }: StoredDecision,
): Promise<void> {
  await restoreRetired(tx, songId, id)
  await closeSuggestion(tx, subjectId, 'approved', { songId })
}

/** Restores a song that a decision or its undo has retired. @throws HttpError 409 when somebody else has. */
export async function restoreRetired(
  tx: Transaction,
  songId: string | null,
  decision: string,
): Promise<void> {
  await lockCatalogue(tx)
  // Both have the time of their transaction.
  const [own] = await tx`
    select from songs s join decisions d on d.created_at = s.retired_at
    join decisions b on b.id = ${decision} and b.subject = d.subject and b.subject_id = d.subject_id
    where s.id = ${songId} and b.id in (d.id, d.base)`
  if (!own || !songId || !(await restoreSong(tx, songId)))
    throw conflict('The song is in the catalogue again already, or somebody else has retired it.')
}

/** The values of a waiting suggestion, which stays locked. */
async function readSuggested(tx: Queryable, id: string): Promise<SuggestedSong> {
  const [row] = await tx<SuggestedSong[]>`
    select title, artist, year, microgenre_id, youtube_id, spotify_id, deezer_track_id, recording_mbid
    from suggestions where id = ${id} and state = 'waiting'`
  if (!row) throw conflict('This suggestion does not wait any more.')
  return { ...row }
}

async function closeSuggestion(
  tx: Queryable,
  id: string,
  state: SuggestionState,
  { songId = null, reason = null }: { songId?: string | null; reason?: string | null },
): Promise<void> {
  const closed = await tx`
    update suggestions set state = ${state}, song_id = ${songId}, reason = ${reason}, decided_at = now()
    where id = ${id} and state = 'waiting'`
  if (closed.count === 0) throw conflict('This suggestion does not wait any more.')
}

/** Back to the desk. */
async function reopenSuggestion({ tx }: DecisionContext, { subjectId }: StoredDecision): Promise<void> {
  const [duplicate] = await tx`
    select from suggestions g join suggestions o on o.id <> g.id and o.state = 'waiting' and (
      o.song_key = g.song_key or o.youtube_id = g.youtube_id or o.spotify_id = g.spotify_id
      or o.deezer_track_id = g.deezer_track_id or o.recording_mbid = g.recording_mbid)
    where g.id = ${subjectId} limit 1`
  if (duplicate) throw conflict('The song was suggested again meanwhile. Decide that suggestion instead.')
  const opened = await tx`
    update suggestions set state = 'waiting', song_id = null, reason = null, decided_at = null
    where id = ${subjectId} and state <> 'waiting'`
  if (opened.count === 0)
    throw conflict('The suggestion is deleted, perhaps with the account of its suggester.')
}

export const labelOf = ({ title, artist }: Pick<SongDetails, 'title' | 'artist'>) => `${title} by ${artist}`

export function withoutUndefined<T extends object>(
  changes: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
