import type { Database } from '../../db/connection.ts'
import type { Deezer } from '../../integrations/deezer.ts'
import { BAD_TOKEN, type Listenbrainz, LOOKUPS } from '../../integrations/listenbrainz.ts'
import {
  AT_ONCE,
  type Musicbrainz,
  type Recording,
  type RecordingsAnswer,
} from '../../integrations/musicbrainz.ts'
import { createAsking, RETRY, type RetryOptions } from '../askUntilAnswered.ts'
import { BadInput } from '../fault.ts'
import { createRefresh } from '../refreshStatistics.ts'
import { chooseRecording, isCertain } from './chooseRecording.ts'
import { keepRecording } from './keepRecording.ts'
import { compareNames } from './names.ts'
import { facts, isLacking, rememberAsked, type Song, wasLookedUp } from './unidentified.ts'

export interface IdentityServices {
  deezer: Deezer
  /** Null without a token. */
  listenbrainz: Listenbrainz | null
  musicbrainz: Musicbrainz
}

export interface IdentityCounts {
  /** Songs that lacked a part of their identity at the beginning, and those done. */
  all: number
  done: number
  /** What was found. */
  recordings: number
  isrcs: number
  wasInterrupted: boolean
}

export interface IdentityOptions {
  signal?: AbortSignal
  onProgress?: (counts: IdentityCounts) => void
  retry?: RetryOptions
}

/** Songs per page of the slow search, and concurrent searches. */
const PAGE = 100
const SONGS_AT_ONCE = 4

/**
 * Finds recordings, ISRCs and releases of songs (catalogue-3). The quick look-ups come first: 25 songs and more per
 * request, by id or by ListenBrainz, where they leave no doubt. MusicBrainz's search of the others takes a second each.
 * Existing values stay. Each song is written when it is done, so an interrupted run continues where it stopped.
 * @throws BadInput when a service does not answer, or ListenBrainz rejects the token.
 */
export async function identifySongs(
  db: Database,
  services: IdentityServices,
  options: IdentityOptions = {},
): Promise<IdentityCounts> {
  const { signal, retry = RETRY } = options
  const counts: IdentityCounts = {
    all: await countUnidentified(db),
    done: 0,
    recordings: 0,
    isrcs: 0,
    wasInterrupted: false,
  }
  const run: Run = {
    db,
    services,
    options,
    counts,
    askMusicbrainz: createAsking('MusicBrainz', retry, signal),
    askListenbrainz: createAsking('ListenBrainz', retry, signal),
    askDeezer: createAsking('Deezer', retry, signal),
  }
  try {
    await lookUpAll(run)
    await searchAll(run)
  } catch (error) {
    // Ctrl-C during a wait is not a failure.
    if (!signal?.aborted) throw error
  }
  counts.wasInterrupted = signal?.aborted ?? false
  return counts
}

/** Songs that lack a part of their identity and were not asked about lately. */
export async function countUnidentified(db: Database): Promise<number> {
  const [row] = await db<
    { songs: number }[]
  >`select count(*)::int as songs from songs s where ${isLacking(db)}`
  return row?.songs ?? 0
}

type Ask = ReturnType<typeof createAsking>

interface Run {
  db: Database
  services: IdentityServices
  options: IdentityOptions
  counts: IdentityCounts
  askMusicbrainz: Ask
  askListenbrainz: Ask
  askDeezer: Ask
}

/** Identifies what ids and ListenBrainz identify beyond doubt. */
async function lookUpAll(run: Run): Promise<void> {
  const { db, services, options, counts } = run
  const byName = services.listenbrainz !== null
  const refresh = createRefresh(db)
  let after = '0'
  while (!options.signal?.aborted) {
    await refresh()
    const songs = await db<Song[]>`
      select s.id, s.artist, s.title, s.year, s.duration_ms, s.isrc, s.recording_mbid, s.deezer_track_id,
        ${facts(db)} as facts
      from songs s
      where ${isLacking(db)} and not ${wasLookedUp(db)} and s.id > ${after}
        and (${byName} or s.recording_mbid is not null or s.isrc is not null)
      order by s.id limit ${LOOKUPS}`
    if (songs.length === 0) return
    after = songs.at(-1)?.id ?? after
    const found = await lookUp(run, songs)
    const undecided: Song[] = []
    for (const song of songs) {
      const recordings = found(song)
      // Not answered: the next run asks again.
      if (recordings === undefined) continue
      const [recording, another] = song.recordingMbid
        ? recordings
        : recordings.filter((one) => isCertain(song, one))
      if (recording && !another) await keep(run, song, recording)
      else undecided.push(song)
      if (options.signal?.aborted) return
    }
    await rememberAsked(db, 'bulk', undecided.filter(isUnnamed))
    // The search finds nothing more about a recording that is known.
    const unknown = undecided.filter((song) => !isUnnamed(song))
    await rememberAsked(db, 'search', unknown)
    counts.done += unknown.length
    options.onProgress?.(counts)
  }
}

const isUnnamed = ({ recordingMbid }: Song) => recordingMbid === null

/** The recordings that may be each song, by its own ids or by ListenBrainz; undefined without an answer. */
async function lookUp(run: Run, songs: Song[]): Promise<(song: Song) => Recording[] | undefined> {
  const { musicbrainz } = run.services
  const matches = await lookUpNames(run, songs.filter(isUnnamed))
  const mbidOf = (song: Song) => song.recordingMbid ?? matches.get(song.id) ?? null
  const isrcOf = (song: Song) => (isUnnamed(song) ? song.isrc : null)
  const byMbid = await askInParts(run, songs.map(mbidOf), musicbrainz.find)
  const byIsrc = await askInParts(run, songs.map(isrcOf), musicbrainz.findByIsrcs)
  return (song) => {
    const [mbid, isrc] = [mbidOf(song), isrcOf(song)]
    const parts = [mbid && byMbid.get(mbid), isrc && byIsrc.get(isrc)]
    if (parts.includes(undefined)) return undefined
    const candidates = parts
      .flatMap((part) => part || [])
      .filter((one) => one.mbid === mbid || (isrc !== null && one.isrcs.includes(isrc)))
    return [...new Map(candidates.map((one) => [one.mbid, one])).values()]
  }
}

/** ListenBrainz's recordings whose names agree, by song id. */
async function lookUpNames({ services, askListenbrainz }: Run, songs: Song[]): Promise<Map<string, string>> {
  const { listenbrainz } = services
  if (!listenbrainz || songs.length === 0) return new Map()
  const matches = await askListenbrainz(async () => {
    const answer = await listenbrainz.lookUp(songs)
    if (answer === 'bad-token') throw new BadToken(BAD_TOKEN)
    return 'error' in answer ? undefined : answer.matches
  }).catch((error: unknown) => {
    throw error instanceof BadToken ? new BadInput(error.message) : error
  })
  return new Map(
    songs.flatMap((song, place): [string, string][] => {
      const match = matches?.[place]
      return match && compareNames(song, match) !== 'other' ? [[song.id, match.recordingMbid]] : []
    }),
  )
}

/** No retry cures it. */
class BadToken extends Error {}

/** Every recording that was found for some ids, by each of these ids; an id that was not answered is absent. */
async function askInParts(
  { askMusicbrainz }: Run,
  ids: (string | null)[],
  find: (ids: string[]) => Promise<RecordingsAnswer>,
): Promise<Map<string, Recording[]>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const found = new Map<string, Recording[]>()
  for (let i = 0; i < wanted.length; i += AT_ONCE) {
    const part = wanted.slice(i, i + AT_ONCE)
    const recordings = await askMusicbrainz(async () => {
      const answer = await find(part)
      return 'error' in answer ? undefined : answer.recordings
    })
    if (recordings) for (const id of part) found.set(id, recordings)
  }
  return found
}

/** Searches for the songs that the look-ups did not identify. */
async function searchAll(run: Run): Promise<void> {
  const { db, options, counts } = run
  const refresh = createRefresh(db)
  let after = '0'
  while (!options.signal?.aborted) {
    await refresh()
    const songs = await db<Song[]>`
      select s.id, s.artist, s.title, s.year, s.duration_ms, s.isrc, s.recording_mbid, s.deezer_track_id,
        ${facts(db)} as facts
      from songs s
      where ${isLacking(db)} and s.recording_mbid is null and s.id > ${after} order by s.id limit ${PAGE}`
    if (songs.length === 0) return
    after = songs.at(-1)?.id ?? after
    for (let i = 0; i < songs.length && !options.signal?.aborted; i += SONGS_AT_ONCE) {
      const some = songs.slice(i, i + SONGS_AT_ONCE)
      const answers = await Promise.allSettled(some.map((song) => search(run, song)))
      // In order, so that of two songs with one recording always the first one gets it.
      for (const [place, song] of some.entries()) {
        const answer = answers[place]
        // Not answered: the next run asks again.
        if (answer?.status === 'fulfilled' && answer.value) await decide(run, song, answer.value)
      }
      options.onProgress?.(counts)
      const failed = answers.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
    }
  }
}

const search = ({ services, askMusicbrainz }: Run, { artist, title }: Song) =>
  askMusicbrainz(async () => {
    const answer = await services.musicbrainz.search(artist, title)
    return 'error' in answer ? undefined : answer.recordings
  })

async function decide(run: Run, song: Song, recordings: Recording[]): Promise<void> {
  const choice = chooseRecording(song, recordings)
  if ('recording' in choice) return keep(run, song, choice.recording)
  const { reason, candidates } = choice
  await rememberAsked(run.db, 'search', [song], { reason, detail: describe(candidates) })
  run.counts.done += 1
}

async function keep(run: Run, song: Song, recording: Recording): Promise<void> {
  const kept = await keepRecording(run.db, run.services.deezer, run.askDeezer, song, recording)
  run.counts.recordings += Number(kept.recording)
  run.counts.isrcs += Number(kept.isrc)
  run.counts.done += 1
}

const MOST_CANDIDATES = 5

/** For the operator, who may choose one. */
const describe = (candidates: Recording[]) =>
  candidates
    .slice(0, MOST_CANDIDATES)
    .map(({ mbid, artist, title, disambiguation, lengthMs, firstReleased }) =>
      [
        `${mbid} ${artist} – ${title}${disambiguation ? ` (${disambiguation})` : ''}`,
        lengthMs === null ? 'length unknown' : `${Math.round(lengthMs / 1000)} s`,
        firstReleased ?? 'date unknown',
      ].join(', '),
    )
    .join('; ')
    .replace(/\s+/g, ' ')
