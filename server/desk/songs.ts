import {
  addSong,
  changeSong,
  lockCatalogue,
  restoreSong,
  retireSong,
  type SongDetails,
  setOwnIds,
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
import { reported } from './people.ts'
import { definedOf, labelOf } from './suggestions.ts'

type Song = SongDetails & { microgenreId: string }

const NO_UNIQUE_IDS: UniqueIds = { youtubeId: null, spotifyId: null, recordingMbid: null }

/** Decisions on a reported song: correct, retire (desk-15), and dismiss. */
export const SONG_CASES = reported('song', dismissedLabel, {
  correct: {
    async decide(desk, { subjectId, changes = {} }) {
      await lockCatalogue(desk.tx)
      const before = await readSong(desk.tx, subjectId)
      const after = { ...before, ...definedOf(changes) }
      if (changesOf(before, after).length === 0) throw new HttpError(400, 'changes: is missing')
      return before.microgenreId === after.microgenreId
        ? change(desk, subjectId, before, after)
        : move(desk, subjectId, before, after)
    },
    undo: (desk, made) => (made.kept.isMove ? moveTo : setValues)(desk, made, 'before'),
    redo: (desk, made) => (made.kept.isMove ? moveTo : setValues)(desk, made, 'after'),
  },
  retire: {
    async decide({ tx }, { subjectId }) {
      const song = await readSong(tx, subjectId)
      await retireSong(tx, subjectId)
      return { label: labelOf(song) }
    },
    async undo({ tx }, { subjectId }) {
      if (!(await restoreSong(tx, subjectId))) throw conflict('The song is in the catalogue again already.')
    },
    async redo({ tx }, { subjectId }) {
      if (!(await retireSong(tx, subjectId))) throw conflict('The song is retired already.')
    },
  },
})

async function change(
  { tx }: DecisionContext,
  songId: string,
  before: Song,
  after: Song,
): Promise<DecisionOutcome> {
  const refused = await changeSong(tx, songId, after)
  if (refused) throw conflict(refused.refusal)
  return { label: labelOf(before), changes: changesOf(before, after) }
}

/**
 * A song's microgenre never changes, because ratings refer to it: the song is retired there and added where it belongs.
 * Its ids move along, as two songs cannot share them.
 */
async function move(
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
    kept: { isMove: true },
  }
}

const UNIQUE_ID_FIELDS = ['youtubeId', 'spotifyId', 'recordingMbid'] as const

/** Retires the song that is there now, and brings the other one back, to which the ids return. */
async function moveTo(
  { tx }: DecisionContext,
  { subjectId, songId, changes }: StoredDecision,
  side: 'before' | 'after',
): Promise<void> {
  if (!songId) throw conflict('The song has no successor.')
  const [gone, back] = side === 'before' ? [songId, subjectId] : [subjectId, songId]
  await retireSong(tx, gone)
  await setOwnIds(tx, gone, NO_UNIQUE_IDS)
  const idOf = (field: string) => changes.find((one) => one.field === field)?.[side] ?? null
  const refused = await setOwnIds(tx, back, {
    youtubeId: idOf('youtubeId'),
    spotifyId: idOf('spotifyId'),
    recordingMbid: idOf('recordingMbid'),
  })
  if (refused) throw conflict(refused.refusal)
  if (!(await restoreSong(tx, back))) throw conflict('The song is in the catalogue again already.')
}

/** Sets the changed values, if nobody has changed them since. */
async function setValues(
  { tx }: DecisionContext,
  { subjectId, changes }: StoredDecision,
  side: 'before' | 'after',
): Promise<void> {
  await lockCatalogue(tx)
  const now = await readSong(tx, subjectId)
  const expected = side === 'before' ? 'after' : 'before'
  const fields = new Map(changes.map((one) => [one.field, one]))
  const isSame = changes.every((one) => {
    const value = now[one.field as keyof Song]
    return (value === null ? null : String(value)) === one[expected]
  })
  if (!isSame) throw conflict('The song was changed meanwhile.')
  const year = fields.get('year')
  const text = (field: keyof Song, value: string | null) => {
    const found = fields.get(field)
    return found ? found[side] : value
  }
  const refused = await changeSong(tx, subjectId, {
    title: text('title', now.title) ?? now.title,
    artist: text('artist', now.artist) ?? now.artist,
    year: year ? (year[side] === null ? null : Number(year[side])) : now.year,
    youtubeId: text('youtubeId', now.youtubeId),
    spotifyId: text('spotifyId', now.spotifyId),
    deezerTrackId: text('deezerTrackId', now.deezerTrackId),
    recordingMbid: text('recordingMbid', now.recordingMbid),
  })
  if (refused) throw conflict(refused.refusal)
}

async function readSong(tx: Queryable, id: string): Promise<Song> {
  const [row] = await tx<Song[]>`
    select title, artist, year, microgenre_id, youtube_id, spotify_id, deezer_track_id, recording_mbid
    from songs where id = ${id} and retired_at is null`
  if (!row) throw conflict('The song is retired already.')
  return { ...row }
}

/** Of a song that may be retired meanwhile. */
async function dismissedLabel(tx: Queryable, id: string): Promise<string> {
  const [song] = await tx<Pick<Song, 'title' | 'artist'>[]>`
    select title, artist from songs where id = ${id}`
  return song ? labelOf(song) : 'A song'
}
