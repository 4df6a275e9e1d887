import {
  addSong,
  changeSong,
  lockCatalogue,
  retireSong,
  type SongDetails,
  setUniqueIds,
  type UniqueIds,
} from '../catalogue/oneSong.ts'
import type { Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import {
  changesOf,
  conflict,
  type DecisionContext,
  type DecisionOutcome,
  type StoredDecision,
} from './effect.ts'
import { createReportedCases } from './people.ts'
import { labelOf, restoreRetired, withoutUndefined } from './suggestions.ts'

type Song = SongDetails & { microgenreId: string }

const NO_UNIQUE_IDS: UniqueIds = { youtubeId: null, spotifyId: null, recordingMbid: null }

/** Decisions on a reported song: correct, retire (desk-15), and dismiss. */
export const SONG_CASES = createReportedCases('song', readLabel, {
  correct: {
    async decide(context, { subjectId, changes = {} }) {
      await lockCatalogue(context.tx)
      const before = await readSong(context.tx, subjectId)
      const after = { ...before, ...withoutUndefined(changes) }
      if (changesOf(before, after).length === 0) throw new HttpError(400, 'changes: is missing')
      return before.microgenreId === after.microgenreId
        ? changeReportedSong(context, subjectId, before, after)
        : moveToMicrogenre(context, subjectId, before, after)
    },
    undo: (context, decision) =>
      (decision.undoData.isMove ? swapMovedSong : setValues)(context, decision, 'before'),
    redo: (context, decision) =>
      (decision.undoData.isMove ? swapMovedSong : setValues)(context, decision, 'after'),
  },
  retire: {
    async decide({ tx }, { subjectId }) {
      const song = await readSong(tx, subjectId)
      await retireSong(tx, subjectId)
      return { label: labelOf(song) }
    },
    undo: ({ tx }, { id, subjectId }) => restoreRetired(tx, subjectId, id),
    async redo({ tx }, { subjectId }) {
      if (!(await retireSong(tx, subjectId))) throw conflict('The song is retired already.')
    },
  },
})

async function changeReportedSong(
  { tx }: DecisionContext,
  songId: string,
  before: Song,
  after: Song,
): Promise<DecisionOutcome> {
  const refusal = await changeSong(tx, songId, after)
  if (refusal) throw conflict(refusal.refusal)
  return { label: labelOf(before), changes: changesOf(before, after) }
}

/**
 * A song's microgenre never changes, because ratings refer to it: the song is retired there and added where it belongs.
 * Its ids move along, as two songs cannot share them.
 */
async function moveToMicrogenre(
  { tx }: DecisionContext,
  songId: string,
  before: Song,
  after: Song,
): Promise<DecisionOutcome> {
  await retireSong(tx, songId)
  const added = await addSong(tx, after.microgenreId, after)
  if ('refusal' in added) throw conflict(added.refusal)
  return {
    label: labelOf(before),
    songId: added.songId,
    changes: [
      ...changesOf(before, after),
      // The undo needs the ids also where they stay the same.
      ...UNIQUE_ID_FIELDS.filter((field) => before[field] !== null && before[field] === after[field]).map(
        (field) => ({
          field,
          before: before[field],
          after: after[field],
        }),
      ),
    ],
    undoData: { isMove: true },
  }
}

const UNIQUE_ID_FIELDS = ['youtubeId', 'spotifyId', 'recordingMbid'] as const

/** Retires the current song, and restores the other one with the ids. */
async function swapMovedSong(
  { tx }: DecisionContext,
  { id, subjectId, songId, changes }: StoredDecision,
  side: 'before' | 'after',
): Promise<void> {
  if (!songId) throw conflict('The song has no successor.')
  const [retiredId, restoredId] = side === 'before' ? [songId, subjectId] : [subjectId, songId]
  if (!(await retireSong(tx, retiredId))) throw conflict('The song is retired already.')
  await setUniqueIds(tx, retiredId, NO_UNIQUE_IDS)
  const idOf = (field: string) => changes.find((entry) => entry.field === field)?.[side] ?? null
  const refusal = await setUniqueIds(tx, restoredId, {
    youtubeId: idOf('youtubeId'),
    spotifyId: idOf('spotifyId'),
    recordingMbid: idOf('recordingMbid'),
  })
  if (refusal) throw conflict(refusal.refusal)
  await restoreRetired(tx, restoredId, id)
}

/** Sets the changed values, if nobody has changed them since. */
async function setValues(
  { tx }: DecisionContext,
  { subjectId, changes }: StoredDecision,
  side: 'before' | 'after',
): Promise<void> {
  await lockCatalogue(tx)
  const current = await readSong(tx, subjectId)
  const expected = side === 'before' ? 'after' : 'before'
  const changesByField = new Map(changes.map((entry) => [entry.field, entry]))
  const isSame = changes.every((entry) => {
    const value = current[entry.field as keyof Song]
    return (value === null ? null : String(value)) === entry[expected]
  })
  if (!isSame) throw conflict('The song was changed meanwhile.')
  const year = changesByField.get('year')
  const text = (field: keyof Song, value: string | null) => {
    const found = changesByField.get(field)
    return found ? found[side] : value
  }
  const refusal = await changeSong(tx, subjectId, {
    title: text('title', current.title) ?? current.title,
    artist: text('artist', current.artist) ?? current.artist,
    year: year ? (year[side] === null ? null : Number(year[side])) : current.year,
    youtubeId: text('youtubeId', current.youtubeId),
    spotifyId: text('spotifyId', current.spotifyId),
    deezerTrackId: text('deezerTrackId', current.deezerTrackId),
    recordingMbid: text('recordingMbid', current.recordingMbid),
  })
  if (refusal) throw conflict(refusal.refusal)
}

async function readSong(tx: Queryable, id: string): Promise<Song> {
  const [row] = await tx<Song[]>`
    select title, artist, year, microgenre_id, youtube_id, spotify_id, deezer_track_id, recording_mbid
    from songs where id = ${id} and retired_at is null`
  if (!row) throw conflict('The song is retired already.')
  return { ...row }
}

/** The label of a song, which may be retired. */
async function readLabel(tx: Queryable, id: string): Promise<string> {
  const [song] = await tx<Pick<Song, 'title' | 'artist'>[]>`
    select title, artist from songs where id = ${id}`
  return song ? labelOf(song) : 'A song'
}
