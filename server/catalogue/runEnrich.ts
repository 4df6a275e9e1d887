import { resolve } from 'node:path'
import { pino } from 'pino'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { createDeezer } from '../integrations/deezer.ts'
import { createListenbrainz } from '../integrations/listenbrainz.ts'
import { createMusicbrainz, INTERVAL, isPublicMusicbrainz } from '../integrations/musicbrainz.ts'
import { copyProviderCache } from '../integrations/providerCache.ts'
import { type CommandLine, INTERRUPTED, USAGE } from './commandLine.ts'
import { type EnrichCounts, enrichSongs } from './enrichSongs.ts'
import { BadInput } from './fault.ts'
import { countUnidentified } from './identity/identifySongs.ts'
import { countIdentified, listUnidentified } from './identity/unidentified.ts'
import { openCatalogue } from './openCatalogue.ts'
import { openReport } from './openReport.ts'
import { duration, startProgressLine } from './progressLine.ts'
import { startDryRun } from './startDryRun.ts'

/** `enrich`. Returns 0 when the services were asked about every incomplete song. */
export async function runEnrich({
  env,
  files,
  options,
  folder,
  signal,
  print,
}: CommandLine): Promise<number> {
  if (files.length > 0) throw new BadInput(USAGE)
  const isDryRun = options['dry-run'] ?? false
  const report = options.report ? await openReport(resolve(folder, options.report)) : null
  const { db, close } = await openCatalogue(env)
  const line = startProgressLine()
  const started = Date.now()
  let counts: EnrichCounts | undefined
  try {
    if (isDryRun) {
      await startDryRun(db)
      await copyProviderCache(db)
    }
    await printEstimate(db, env, print)
    const log = pino({ level: 'silent' })
    const services = {
      deezer: createDeezer(env, log, db),
      listenbrainz: createListenbrainz(env, log, db),
      musicbrainz: createMusicbrainz(env, log, db),
    }
    counts = await enrichSongs(db, services, {
      signal,
      onProgress(now) {
        counts = now
        const { filled, identified } = now
        if (identified) {
          const { done, all, recordings } = identified
          line.show(all > 0 ? done / all : null, `${done} of ${all} asked about, ${recordings} identified`)
        } else {
          const { done, all, unknown } = filled
          line.show(all > 0 ? done / all : null, `${done} of ${all}, ${unknown} not found`)
        }
      },
    })
    return counts.wasInterrupted ? INTERRUPTED : 0
  } finally {
    line.end()
    try {
      if (counts) await printSummary(db, counts, { print, milliseconds: Date.now() - started, isDryRun })
      if (report) {
        for await (const lines of listUnidentified(db)) await report.write(lines)
        print(`All songs that are not identified are in ${options.report}.`)
      }
    } finally {
      await report?.close()
      await close()
    }
  }
}

/** The progress line's estimate of the remaining time is better than this, but comes late. */
async function printEstimate(db: Database, env: Env, print: CommandLine['print']): Promise<void> {
  if (!isPublicMusicbrainz(env)) return
  const songs = await countUnidentified(db)
  if (songs === 0) return
  const help = env.LISTENBRAINZ_TOKEN ? 'less where ListenBrainz knows them' : 'less with LISTENBRAINZ_TOKEN'
  print(
    `${grouped(songs)} songs to identify: about ${duration(songs * INTERVAL)} at MusicBrainz, which answers once a ` +
      `second; ${help}. Ctrl-C stops, and the same command continues.`,
  )
}

interface Summary {
  print: CommandLine['print']
  milliseconds: number
  isDryRun: boolean
}

async function printSummary(
  db: Database,
  { filled, identified, wasInterrupted }: EnrichCounts,
  { print, milliseconds, isDryRun }: Summary,
): Promise<void> {
  print(
    `${wasInterrupted ? 'Stopped after looking up' : 'Looked up'} ${grouped(filled.done)} of ` +
      `${grouped(filled.all)} incomplete songs in ${duration(milliseconds)}.`,
  )
  print(
    `Filled in ${grouped(filled.tracks)} tracks, ${grouped(filled.durations)} durations and ` +
      `${grouped(filled.art)} covers; Deezer did not find ${grouped(filled.unknown)}.`,
  )
  const now = await countIdentified(db)
  const share = now.songs === 0 ? 0 : Math.floor((100 * now.identified) / now.songs)
  print(
    `Identified ${grouped(now.identified)} of ${grouped(now.songs)} songs (${share} %), ` +
      `${grouped(identified?.recordings ?? 0)} in this run, which also found ${grouped(identified?.isrcs ?? 0)} ISRCs.`,
  )
  if (now.reasons.length > 0) {
    print(
      `Not identified: ${now.reasons.map(({ reason, songs }) => `${grouped(songs)} ${reason}`).join(', ')}.`,
    )
  }
  if (isDryRun) print('This was a dry run. Nothing was changed.')
}

const grouped = (count: number) => count.toLocaleString('en')
