import type { Database } from '../../db/connection.ts'
import { BadInput } from '../../inputErrors.ts'
import type { Deezer } from '../../integrations/deezer.ts'
import { BAD_TOKEN, type Listenbrainz, MAX_LOOKUPS } from '../../integrations/listenbrainz.ts'
import {
  MAX_IDS_PER_QUERY,
  type Musicbrainz,
  type Recording,
  type RecordingsAnswer,
} from '../../integrations/musicbrainz.ts'
import {
  type Ask,
  createAsk,
  markAsked,
  readAnalyzedPages,
  readCount,
  runInterruptible,
  type ServiceOptions,
} from '../askServices.ts'
import { chooseRecording, isCertain } from './chooseRecording.ts'
import { compareNames } from './names.ts'
import { storeRecording } from './storeRecording.ts'
import {
  IDENTITY_PROVIDERS,
  identityFacts,
  lacksIdentity,
  type UnidentifiedSong,
  wasLookedUp,
} from './unidentified.ts'

export interface IdentityServices {
  deezer: Deezer
  /** Null without a token. */
  listenbrainz: Listenbrainz | null
  musicbrainz: Musicbrainz
}

const noCounts = () => ({
  /** Songs that lacked a part of their identity at the beginning, and those done. */
  all: 0,
  done: 0,
  recordings: 0,
  isrcs: 0,
  wasInterrupted: false,
})

export type IdentityCounts = ReturnType<typeof noCounts>

/** Songs per page of the slow search, and concurrent searches. */
const PAGE_SIZE = 100
const CONCURRENCY = 4

/**
 * Finds recordings, ISRCs and releases of songs (catalogue-3): first by quick look-ups of 25 songs and more, by id or
 * at ListenBrainz, where they leave no doubt; then by MusicBrainz's search, a second each. Existing values stay. Each
 * song is stored at once, so an interrupted run continues where it stopped.
 * @throws BadInput when a service does not answer, or ListenBrainz rejects the token.
 */
export async function identifySongs(
  db: Database,
  services: IdentityServices,
  options: ServiceOptions<IdentityCounts> = {},
): Promise<IdentityCounts> {
  const counts = { ...noCounts(), all: await countUnidentified(db) }
  const run: Run = { db, services, options, counts, ask: createAsk(options) }
  counts.wasInterrupted = await runInterruptible(async () => {
    await lookUpAll(run)
    await searchAll(run)
  }, options.signal)
  return counts
}

/** Songs that lack identity and were not recently asked about. */
export const countUnidentified = (db: Database) =>
  readCount(db<{ songs: number }[]>`select count(*)::int as songs from songs s where ${lacksIdentity(db)}`)

interface Run {
  db: Database
  services: IdentityServices
  options: ServiceOptions<IdentityCounts>
  counts: IdentityCounts
  ask: Ask
}

/** Identifies songs by ids and ListenBrainz, where these leave no doubt. */
async function lookUpAll(run: Run): Promise<void> {
  const { db, services, options, counts } = run
  const canAskByName = services.listenbrainz !== null
  const readPage = (after: string) => db<UnidentifiedSong[]>`
    select ${songColumns(db)} from songs s
    where ${lacksIdentity(db)} and not ${wasLookedUp(db)} and s.id > ${after}
      and (${canAskByName} or s.recording_mbid is not null or s.isrc is not null)
    order by s.id limit ${MAX_LOOKUPS}`
  for await (const songs of readAnalyzedPages(db, readPage, options.signal)) {
    const found = await lookUpSongs(run, songs)
    const undecided: UnidentifiedSong[] = []
    for (const song of songs) {
      const recordings = found(song)
      // Unanswered: the next run asks again.
      if (recordings === undefined) continue
      const [recording, another] = song.recordingMbid
        ? recordings
        : recordings.filter((one) => isCertain(song, one))
      if (recording && !another) await identifySong(run, song, recording)
      else undecided.push(song)
      if (options.signal?.aborted) return
    }
    await markAsked(db, IDENTITY_PROVIDERS.bulk, undecided.filter(hasNoRecording))
    // The search adds nothing to a known recording.
    const unknown = undecided.filter((song) => !hasNoRecording(song))
    await markAsked(db, IDENTITY_PROVIDERS.search, unknown)
    counts.done += unknown.length
    options.onProgress?.(counts)
  }
}

const songColumns = (db: Database) => db`
  s.id, s.artist, s.title, s.year, s.duration_ms, s.isrc, s.recording_mbid, s.deezer_track_id, ${identityFacts(db)} as facts`

const hasNoRecording = ({ recordingMbid }: UnidentifiedSong) => recordingMbid === null

/** The possible recordings of each song, by its ids or ListenBrainz; undefined without an answer. */
async function lookUpSongs(
  run: Run,
  songs: UnidentifiedSong[],
): Promise<(song: UnidentifiedSong) => Recording[] | undefined> {
  const { musicbrainz } = run.services
  const matches = await lookUpNames(run, songs.filter(hasNoRecording))
  const mbidOf = (song: UnidentifiedSong) => song.recordingMbid ?? matches.get(song.id) ?? null
  const isrcOf = (song: UnidentifiedSong) => (hasNoRecording(song) ? song.isrc : null)
  const byMbid = await askInBatches(run, songs.map(mbidOf), musicbrainz.find)
  const byIsrc = await askInBatches(run, songs.map(isrcOf), musicbrainz.findByIsrcs)
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
async function lookUpNames({ services, ask }: Run, songs: UnidentifiedSong[]): Promise<Map<string, string>> {
  const { listenbrainz } = services
  if (!listenbrainz || songs.length === 0) return new Map()
  const answer = await ask('ListenBrainz', () => listenbrainz.lookUp(songs))
  if (answer === 'bad-token') throw new BadInput(BAD_TOKEN)
  return new Map(
    songs.flatMap((song, place): [string, string][] => {
      const match = answer?.matches[place]
      return match && compareNames(song, match) !== 'other' ? [[song.id, match.recordingMbid]] : []
    }),
  )
}

/** The recordings found in a batch of ids, by each of these ids; unanswered ids are absent. */
async function askInBatches(
  { ask }: Run,
  ids: (string | null)[],
  find: (ids: string[]) => Promise<RecordingsAnswer>,
): Promise<Map<string, Recording[]>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const found = new Map<string, Recording[]>()
  for (let i = 0; i < wanted.length; i += MAX_IDS_PER_QUERY) {
    const part = wanted.slice(i, i + MAX_IDS_PER_QUERY)
    const answer = await ask('MusicBrainz', () => find(part))
    if (answer) for (const id of part) found.set(id, answer.recordings)
  }
  return found
}

/** Searches for the songs that the look-ups did not identify. */
async function searchAll(run: Run): Promise<void> {
  const { db, options, counts } = run
  const readPage = (after: string) => db<UnidentifiedSong[]>`
    select ${songColumns(db)} from songs s
    where ${lacksIdentity(db)} and s.recording_mbid is null and s.id > ${after} order by s.id limit ${PAGE_SIZE}`
  for await (const songs of readAnalyzedPages(db, readPage, options.signal)) {
    for (let i = 0; i < songs.length && !options.signal?.aborted; i += CONCURRENCY) {
      const some = songs.slice(i, i + CONCURRENCY)
      const answers = await Promise.allSettled(some.map((song) => search(run, song)))
      // In order, so that the first of two songs with one recording gets it.
      for (const [place, song] of some.entries()) {
        const answer = answers[place]
        // Unanswered: the next run asks again.
        if (answer?.status === 'fulfilled' && answer.value) await chooseForSong(run, song, answer.value)
      }
      options.onProgress?.(counts)
      const failed = answers.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
    }
  }
}

async function search(
  { services, ask }: Run,
  { artist, title }: UnidentifiedSong,
): Promise<Recording[] | undefined> {
  return (await ask('MusicBrainz', () => services.musicbrainz.search(artist, title)))?.recordings
}

async function chooseForSong(run: Run, song: UnidentifiedSong, recordings: Recording[]): Promise<void> {
  const choice = chooseRecording(song, recordings)
  if ('recording' in choice) return identifySong(run, song, choice.recording)
  const { reason, candidates } = choice
  await markAsked(run.db, IDENTITY_PROVIDERS.search, [song], { reason, detail: formatCandidates(candidates) })
  run.counts.done += 1
}

async function identifySong(run: Run, song: UnidentifiedSong, recording: Recording): Promise<void> {
  const stored = await storeRecording(run.db, run.services.deezer, run.ask, song, recording)
  run.counts.recordings += Number(stored.recording)
  run.counts.isrcs += Number(stored.isrc)
  run.counts.done += 1
}

const MAX_LISTED_CANDIDATES = 5

/** For the operator's choice. */
const formatCandidates = (candidates: Recording[]) =>
  candidates
    .slice(0, MAX_LISTED_CANDIDATES)
    .map(({ mbid, artist, title, disambiguation, lengthMs, firstReleased }) =>
      [
        `${mbid} ${artist} – ${title}${disambiguation ? ` (${disambiguation})` : ''}`,
        lengthMs === null ? 'length unknown' : `${Math.round(lengthMs / 1000)} s`,
        firstReleased ?? 'date unknown',
      ].join(', '),
    )
    .join('; ')
    .replace(/\s+/g, ' ')
