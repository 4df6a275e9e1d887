import type { Database, Queryable, Transaction } from '../../db/connection.ts'
import type { Env } from '../../env.ts'
import type { TaggedEntity } from '../../integrations/listenbrainz.ts'
import type { ArtistAndTitle } from '../../playback/matchScore.ts'
import { findCatalogueSongs } from '../../suggestions/catalogueSongs.ts'
import { findDeskState, proposeSong } from '../../suggestions/suggestions.ts'
import { compareNames, leadArtist } from '../identity/names.ts'
import { addSong, lockCatalogue } from '../oneSong.ts'
import { normalizeName } from '../spelling.ts'
import type { MicrogenreRef } from './collectCandidates.ts'
import {
  type CandidateOutcome,
  lockOpenCandidate,
  readOpenCandidates,
  readSharedNames,
  type SongCandidate,
  storeOutcome,
} from './songCandidates.ts'

export interface DecisionCounts {
  added: number
  proposed: number
}

interface Options {
  limit: number
  signal?: AbortSignal
}

/** Suggestions by the catalogue that are pending at the desk, per microgenre. */
const MAX_PENDING_SUGGESTIONS = 10

/**
 * Adds the candidates with enough evidence, the best first, and suggests others to the desk (catalogue-13), one
 * transaction each. The rest stays open for a later run.
 */
export async function decideCandidates(
  db: Database,
  env: Env,
  genre: MicrogenreRef,
  options: Options,
): Promise<DecisionCounts> {
  const songs = await readSongs(db, genre)
  const ranked = rank(await readOpenCandidates(db, genre.id), songs, await readSharedNames(db, genre.id))
  const open = await refuseKnown(db, env, genre, ranked)
  const run: Run = { db, env, genre, songs, open: new Set(open), options }
  const added = await addAll(run)
  return { added, proposed: await proposeAll(run) }
}

interface Run {
  db: Database
  env: Env
  genre: MicrogenreRef
  songs: GenreSongs
  /** The best first. */
  open: Set<RankedCandidate>
  options: Options
}

interface RankedCandidate extends SongCandidate {
  score: number
  /** Without a steward. */
  canBeAdded: boolean
}

export async function readSongs(db: Queryable, genre: MicrogenreRef): Promise<GenreSongs> {
  const rows = await db<(ArtistAndTitle & { isRetired: boolean })[]>`
    select artist, title, retired_at is not null as is_retired from songs where microgenre_id = ${genre.id}`
  const songs = new GenreSongs()
  for (const row of rows) songs.add(row, row.isRetired)
  return songs
}

/** A steward decides where two artists share the name, or the length is unknown. */
function rank(candidates: SongCandidate[], songs: GenreSongs, sharedNames: Set<string>): RankedCandidate[] {
  return candidates
    .map((one) => {
      const isShared = sharedNames.has(normalizeName(one.artist))
      const score = scoreOf(one.tagged, !isShared && songs.hasArtist(one.artist))
      return { ...one, score, canBeAdded: score >= MIN_SCORE_TO_ADD && !isShared && one.lengthMs !== null }
    })
    .sort((a, b) => b.score - a.score || (a.recordingMbid < b.recordingMbid ? -1 : 1))
}

/** Refuses songs that are in the catalogue already. One query for all of them. */
async function refuseKnown(
  db: Database,
  env: Env,
  genre: MicrogenreRef,
  ranked: RankedCandidate[],
): Promise<RankedCandidate[]> {
  const matches = await findCatalogueSongs(db, env, ranked, { retired: true })
  const remaining: RankedCandidate[] = []
  for (const [place, one] of ranked.entries()) {
    const same = matches[place]?.[0]
    if (same) await storeOutcome(db, genre.id, one.recordingMbid, alreadyInCatalogue(one, same))
    else remaining.push(one)
  }
  return remaining
}

/** Returns how many were added. */
async function addAll(run: Run): Promise<number> {
  const { songs, options } = run
  let added = 0
  // Each added song raises every artist's share.
  for (let before = -1; before < added; ) {
    before = added
    for (const one of run.open) {
      if (added >= options.limit || options.signal?.aborted) return added
      if (!one.canBeAdded || !songs.isWithinShare(one.artist)) continue
      const outcome = await decideCandidate(run, one, (tx) => addCandidate(tx, run.genre, one))
      if (outcome?.songId) added += 1
    }
  }
  return added
}

/** Returns how many were suggested. */
async function proposeAll(run: Run): Promise<number> {
  const { db, genre, songs, open, options } = run
  const waiting = await db<(ArtistAndTitle & { isFound: boolean })[]>`
    select artist, title, found_score is not null as is_found from suggestions
    where state = 'waiting' and microgenre_id = ${genre.id}`
  for (const one of waiting) songs.add(one)
  const capacity = MAX_PENDING_SUGGESTIONS - waiting.filter(({ isFound }) => isFound).length
  let proposed = 0
  for (const one of open) {
    if (proposed >= capacity || options.signal?.aborted) break
    if (one.canBeAdded || one.score < MIN_SCORE_TO_SUGGEST || !songs.isWithinShare(one.artist)) continue
    const outcome = await decideCandidate(run, one, (tx) => suggestCandidate(tx, genre, one))
    if (outcome?.suggestionId) proposed += 1
  }
  return proposed
}

/** Decides one candidate, unless another process has. */
async function decideCandidate(
  { db, env, genre, songs, open }: Run,
  one: RankedCandidate,
  decide: (tx: Transaction) => Promise<CandidateOutcome>,
): Promise<CandidateOutcome | null> {
  open.delete(one)
  const same = songs.find(one)
  const outcome = await db.begin(async (tx) => {
    // So that no other process adds the same song.
    await lockCatalogue(tx)
    if (!(await lockOpenCandidate(tx, genre.id, one.recordingMbid))) return null
    const obstacle = (await findObstacle(tx, env, one)) ?? (same && alreadyInCatalogue(one, same))
    const decision = obstacle ?? (await decide(tx))
    await storeOutcome(tx, genre.id, one.recordingMbid, decision)
    return decision
  })
  if (outcome?.songId || outcome?.suggestionId) songs.add(one)
  return outcome
}

/** The outcome if another process, a listener or a steward has decided about the song. */
async function findObstacle(tx: Queryable, env: Env, one: RankedCandidate): Promise<CandidateOutcome | null> {
  const [[same] = []] = await findCatalogueSongs(tx, env, [one], { retired: true })
  if (same) return alreadyInCatalogue(one, same)
  const state = await findDeskState(tx, one)
  if (state === null) return null
  return { score: one.score, refusal: state === 'waiting' ? 'at the desk' : 'rejected' }
}

const alreadyInCatalogue = (
  { score }: RankedCandidate,
  { title, artist }: ArtistAndTitle,
): CandidateOutcome => ({
  score,
  refusal: 'here already',
  detail: `${title} by ${artist}`,
})

async function addCandidate(
  tx: Transaction,
  genre: MicrogenreRef,
  one: RankedCandidate,
): Promise<CandidateOutcome> {
  const { title, artist, year, recordingMbid, lengthMs, releaseMbid, score } = one
  const added = await addSong(tx, genre.id, {
    title,
    artist,
    year,
    recordingMbid,
    releaseMbid,
    durationMs: lengthMs,
    youtubeId: null,
    spotifyId: null,
    deezerTrackId: null,
  })
  return 'refusal' in added
    ? { score, refusal: 'cannot be added', detail: added.refusal }
    : { score, songId: added.songId }
}

async function suggestCandidate(
  tx: Transaction,
  genre: MicrogenreRef,
  one: RankedCandidate,
): Promise<CandidateOutcome> {
  const suggestionId = await proposeSong(tx, genre.id, one)
  return suggestionId === null
    ? { score: one.score, refusal: 'at the desk' }
    : { score: one.score, suggestionId }
}

/**
 * The evidence for a song in a microgenre, of 100 (catalogue-13): its recording, release and artist have the tag, and
 * the artist has a song there. One of these alone is one person's opinion, or says nothing about the song.
 */
const WEIGHTS: Record<TaggedEntity, number> = { recording: 50, 'release-group': 40, artist: 30 }
const KNOWN_ARTIST = 30

/** From this score on a song is added: its recording and something else, or everything else. */
const MIN_SCORE_TO_ADD = 80

const MIN_SCORE_TO_SUGGEST = 50

function scoreOf(tagged: readonly TaggedEntity[], isKnownArtist: boolean): number {
  const sum = tagged.reduce((all, entity) => all + WEIGHTS[entity], isKnownArtist ? KNOWN_ARTIST : 0)
  return Math.min(sum, 100)
}

/** An artist has at most `songs` in every `of` songs. */
const ARTIST_SHARE = { songs: 3, of: 20 }

class GenreSongs {
  /** By lead artist. */
  private readonly songs = new Map<string, ArtistAndTitle[]>()
  private readonly shares = new Map<string, number>()
  private readonly artists = new Set<string>()
  private total = 0

  /** Adds a song. A retired one is found, but counts in no share. */
  add(song: ArtistAndTitle, isRetired = false): void {
    const lead = leadArtist(song.artist)
    this.songs.set(lead, [...(this.songs.get(lead) ?? []), song])
    if (isRetired) return
    this.artists.add(normalizeName(song.artist))
    this.shares.set(lead, (this.shares.get(lead) ?? 0) + 1)
    this.total += 1
  }

  /** The song with these names, in any spelling, with or without a subtitle. */
  find(song: ArtistAndTitle): ArtistAndTitle | null {
    const ofArtist = this.songs.get(leadArtist(song.artist)) ?? []
    return ofArtist.find((one) => compareNames(one, song) !== 'other') ?? null
  }

  hasArtist(artist: string): boolean {
    return this.artists.has(normalizeName(artist))
  }

  /** Whether the artist may have one more song (catalogue-14). */
  isWithinShare(artist: string): boolean {
    const most = Math.max(
      ARTIST_SHARE.songs,
      Math.floor((ARTIST_SHARE.songs * (this.total + 1)) / ARTIST_SHARE.of),
    )
    return (this.shares.get(leadArtist(artist)) ?? 0) < most
  }
}
