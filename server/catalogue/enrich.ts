import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { isPublicMusicbrainz, MUSICBRAINZ_INTERVAL } from '../integrations/musicbrainz.ts'
import type { ServiceOptions } from './askServices.ts'
import { type Command, DRY_RUN_NOTICE, formatCount, wholePercent } from './command.ts'
import { type FillCounts, fillFromDeezer } from './fillFromDeezer.ts'
import {
  countUnidentified,
  type IdentityCounts,
  type IdentityServices,
  identifySongs,
} from './identity/identifySongs.ts'
import { countIdentified, listUnidentified } from './identity/unidentified.ts'
import { formatElapsed } from './progressLine.ts'

export interface EnrichCounts {
  filled: FillCounts
  /** Null until the first part is done. */
  identified: IdentityCounts | null
  wasInterrupted: boolean
}

/** `enrich`. */
export const enrich: Command<EnrichCounts, void> = {
  async run({ db, env, services, signal, print, copyForDryRun }, onProgress) {
    await copyForDryRun('provider_cache')
    for (const text of await estimate(db, env)) print(text)
    return enrichSongs(db, services, { signal, onProgress })
  },
  progress({ filled, identified }) {
    const { done, all } = identified ?? filled
    const text = identified
      ? `${done} of ${all} asked about, ${identified.recordings} identified`
      : `${done} of ${all}, ${filled.unknown} not found`
    return { share: all > 0 ? done / all : null, text }
  },
  async summary({ filled, identified, wasInterrupted }, { db, isDryRun }, time) {
    const now = await countIdentified(db)
    const reasons = now.reasons.map(({ reason, songs }) => `${formatCount(songs)} ${reason}`)
    return [
      `${wasInterrupted ? 'Stopped after looking up' : 'Looked up'} ${formatCount(filled.done)} of ` +
        `${formatCount(filled.all)} incomplete songs in ${time.text}.`,
      `Filled in ${formatCount(filled.tracks)} tracks, ${formatCount(filled.durations)} durations and ` +
        `${formatCount(filled.art)} covers; Deezer did not find ${formatCount(filled.unknown)}.`,
      `Identified ${formatCount(now.identified)} of ${formatCount(now.songs)} songs ` +
        `(${wholePercent(now.identified, now.songs)} %), ${formatCount(identified?.recordings ?? 0)} in this run, ` +
        `which also found ${formatCount(identified?.isrcs ?? 0)} ISRCs.`,
      ...(reasons.length > 0 ? [`Not identified: ${reasons.join(', ')}.`] : []),
      ...(isDryRun ? [DRY_RUN_NOTICE] : []),
    ]
  },
  report: {
    of: 'songs that are not identified',
    columns: ['key', 'artist', 'title', 'reason', 'detail'],
    rows: listUnidentified,
  },
}

/** A first estimate; the progress line's is better, but comes late. */
async function estimate(db: Database, env: Env): Promise<string[]> {
  const songs = isPublicMusicbrainz(env) ? await countUnidentified(db) : 0
  if (songs === 0) return []
  const help = env.LISTENBRAINZ_TOKEN ? 'less where ListenBrainz knows them' : 'less with LISTENBRAINZ_TOKEN'
  return [
    `${formatCount(songs)} songs to identify: about ${formatElapsed(songs * MUSICBRAINZ_INTERVAL)} at MusicBrainz, which answers once a ` +
      `second; ${help}. Ctrl-C stops, and the same command continues.`,
  ]
}

/**
 * Completes songs: tracks, durations and covers from Deezer, eight a second; then their identity, for which durations
 * are evidence. Existing values stay. An interrupted run continues where it stopped.
 * @throws BadInput when a service does not answer.
 */
export async function enrichSongs(
  db: Database,
  services: IdentityServices,
  { onProgress, ...options }: ServiceOptions<EnrichCounts> = {},
): Promise<EnrichCounts> {
  const filled = await fillFromDeezer(db, services.deezer, {
    ...options,
    onProgress: (now) => onProgress?.({ filled: now, identified: null, wasInterrupted: false }),
  })
  if (filled.wasInterrupted) return { filled, identified: null, wasInterrupted: true }
  const identified = await identifySongs(db, services, {
    ...options,
    onProgress: (now) => onProgress?.({ filled, identified: now, wasInterrupted: false }),
  })
  return { filled, identified, wasInterrupted: identified.wasInterrupted }
}
