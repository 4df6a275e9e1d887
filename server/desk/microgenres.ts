import type { FoundMicrogenre, MicrogenreDetails } from '../../contract/desk.ts'
import { rankOf } from '../auth/accountRights.ts'
import { readExamples } from '../catalogue/growth/foundMicrogenres.ts'
import { addMicrogenre, restoreMicrogenre, retireMicrogenre } from '../catalogue/newMicrogenre.ts'
import { addSong } from '../catalogue/oneSong.ts'
import type { Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { findCatalogueSongs } from '../suggestions/catalogueSongs.ts'
import {
  type CaseHandler,
  caseClosed,
  changesOf,
  conflict,
  type DecisionBody,
  type DecisionContext,
  type DecisionOutcome,
  noSuchCase,
  type StoredDecision,
} from './effect.ts'

/** Decisions on a microgenre that the catalogue found: approve, with the steward's words, and reject (desk-27). */
export const MICROGENRE_CASES: CaseHandler<'approve' | 'reject'> = {
  lock: async (tx, id) => (await lockFoundMicrogenre(tx, id)).state === 'waiting',
  effects: {
    approve: { decide: approve, undo: undoApproval, redo: redoApproval },
    reject: {
      async decide({ tx }, { subjectId }) {
        const { name } = await lockWaiting(tx, subjectId)
        await setState(tx, subjectId, 'rejected')
        return { label: labelOf(name) }
      },
      undo: ({ tx }, { subjectId }) => setState(tx, subjectId, 'waiting'),
    },
  },
}

interface FoundRow {
  name: string
  family: string
  nearId: string
  /** The microgenre of an approval that was undone. */
  microgenreId: string | null
  state: string
}

/** @throws HttpError 404 for an unknown one. */
async function lockFoundMicrogenre(tx: Queryable, id: string): Promise<FoundRow> {
  const [found] = await tx<FoundRow[]>`
    select name, family, near_id, microgenre_id, state from found_microgenres where id = ${id} for update`
  if (!found) throw noSuchCase()
  return found
}

async function lockWaiting(tx: Queryable, id: string): Promise<FoundRow> {
  const found = await lockFoundMicrogenre(tx, id)
  if (found.state !== 'waiting') throw caseClosed()
  return found
}

async function approve(
  context: DecisionContext,
  { subjectId, microgenre: details }: DecisionBody,
): Promise<DecisionOutcome> {
  const found = await lockWaiting(context.tx, subjectId)
  if (!details) throw new HttpError(400, 'microgenre: is missing')
  await createOrRestore(context, subjectId, found, details)
  const { name, family } = found
  const before: Record<keyof MicrogenreDetails, string | null> = { name, family, description: null }
  return { label: labelOf(details.name), changes: changesOf(before, details) }
}

async function redoApproval(context: DecisionContext, { subjectId, changes }: StoredDecision): Promise<void> {
  const found = await lockWaiting(context.tx, subjectId)
  const changedValue = (field: keyof MicrogenreDetails) =>
    changes.find((change) => change.field === field)?.after
  await createOrRestore(context, subjectId, found, {
    name: changedValue('name') ?? found.name,
    family: changedValue('family') ?? found.family,
    description: changedValue('description') ?? '',
  })
}

/** An approval that was undone before restores the same microgenre. */
async function createOrRestore(
  context: DecisionContext,
  id: string,
  found: FoundRow,
  details: MicrogenreDetails,
): Promise<void> {
  const { tx } = context
  if (found.microgenreId === null) return createMicrogenre(context, id, found.nearId, details)
  const refusal = await restoreMicrogenre(tx, found.microgenreId, details)
  if (refusal) throw conflict(refusal.refusal)
  await setState(tx, id, 'approved')
}

/** Adds the examples, which the steward could hear, except songs that are already in the catalogue. */
async function createMicrogenre(
  { tx, env }: DecisionContext,
  id: string,
  nearId: string,
  details: MicrogenreDetails,
): Promise<void> {
  const created = await addMicrogenre(tx, details, nearId)
  if ('refusal' in created) throw conflict(created.refusal)
  const examples = await readExamples(tx, [id])
  const known = await findCatalogueSongs(tx, env, examples, { retired: true })
  let songs = 0
  for (const [place, example] of examples.entries()) {
    if (known[place]?.length) continue
    const added = await addSong(tx, created.microgenreId, {
      ...example,
      durationMs: example.lengthMs,
      youtubeId: null,
      spotifyId: null,
      deezerTrackId: null,
    })
    if ('songId' in added) songs++
  }
  if (songs === 0) throw conflict('All of its songs are here already, so nothing would be left for it.')
  await tx`
    update found_microgenres set state = 'approved', microgenre_id = ${created.microgenreId} where id = ${id}`
}

async function undoApproval(
  { tx, env, steward }: DecisionContext,
  { subjectId }: StoredDecision,
): Promise<void> {
  const { microgenreId } = await lockFoundMicrogenre(tx, subjectId)
  const refusal =
    microgenreId && (await retireMicrogenre(tx, microgenreId, rankOf(env, steward) === 'operator'))
  if (refusal) throw conflict(refusal.refusal)
  await setState(tx, subjectId, 'waiting')
}

async function setState(
  tx: Queryable,
  id: string,
  state: 'waiting' | 'approved' | 'rejected',
): Promise<void> {
  await tx`update found_microgenres set state = ${state} where id = ${id}`
}

const labelOf = (name: string) => `Microgenre ${name}`

/** The genres that may become microgenres, as the desk shows them, by id (desk-26). */
export async function readFoundMicrogenres(
  db: Queryable,
  ids: string[],
): Promise<Map<string, FoundMicrogenre>> {
  if (ids.length === 0) return new Map()
  const rows = await db<Omit<FoundMicrogenre, 'examples'>[]>`
    select f.id, f.name, f.family, m.name as near, m.color,
      coalesce((select count(distinct g.song_key) from found_microgenre_songs g
        where g.genre_key = f.genre_key), 0)::int as songs,
      coalesce((select count(distinct g.artist_mbid) from found_microgenre_songs g
        where g.genre_key = f.genre_key), 0)::int as artists
    from found_microgenres f join microgenres m on m.id = f.near_id
    where f.id = any(${ids}::bigint[])`
  const examples = await readExamples(db, ids)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        examples: examples
          .filter(({ genreId }) => genreId === row.id)
          .map(({ recordingMbid, title, artist, year }) => ({ recordingMbid, title, artist, year })),
      },
    ]),
  )
}
