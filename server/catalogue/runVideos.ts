import { resolve } from 'node:path'
import { pino } from 'pino'
import type { Database } from '../db/connection.ts'
import { createMusicbrainz } from '../integrations/musicbrainz.ts'
import { createWikidata } from '../integrations/wikidata.ts'
import { createYoutube } from '../integrations/youtube.ts'
import { type CommandLine, INTERRUPTED, USAGE } from './commandLine.ts'
import { BadInput } from './fault.ts'
import { openCatalogue } from './openCatalogue.ts'
import { openReport } from './openReport.ts'
import { duration, startProgressLine } from './progressLine.ts'
import { startDryRun } from './startDryRun.ts'
import { findVideos, SEARCHES, type VideoCounts } from './videos/findVideos.ts'
import { copyCandidates, countVideoState, listCandidates } from './videos/videoCandidates.ts'

/** `videos`. Returns 0 when the services were asked about every song without a video, as far as the day's budget went. */
export async function runVideos({
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
  let counts: VideoCounts | undefined
  try {
    if (isDryRun) {
      await startDryRun(db)
      await copyCandidates(db)
    }
    const log = pino({ level: 'silent' })
    const services = {
      musicbrainz: createMusicbrainz(env, log, db),
      wikidata: createWikidata(env, log, db),
      youtube: createYoutube(env, log, db),
    }
    counts = await findVideos(db, services, {
      isDryRun,
      signal,
      onProgress(now) {
        counts = now
        line.show(now.all > 0 ? now.done / now.all : null, `${now.done} of ${now.all}, ${foundIn(now)} found`)
      },
    })
    return counts.wasInterrupted ? INTERRUPTED : 0
  } finally {
    line.end()
    try {
      if (counts) await printSummary(db, counts, { print, milliseconds: Date.now() - started, isDryRun })
      if (report) {
        for await (const lines of listCandidates(db)) await report.write(lines)
        print(`All judged videos are in ${options.report}.`)
      }
    } finally {
      await report?.close()
      await close()
    }
  }
}

interface Summary {
  print: CommandLine['print']
  milliseconds: number
  isDryRun: boolean
}

async function printSummary(
  db: Database,
  counts: VideoCounts,
  { print, milliseconds, isDryRun }: Summary,
): Promise<void> {
  const { all, done, found, searchEnd, wasInterrupted } = counts
  print(
    `${wasInterrupted ? 'Stopped after asking' : 'Asked'} about ${grouped(done)} of ${grouped(all)} songs without a video ` +
      `in ${duration(milliseconds)}.`,
  )
  print(
    `Found ${grouped(foundIn(counts))} videos: ${grouped(found.musicbrainz)} by MusicBrainz, ` +
      `${grouped(found.wikidata)} by Wikidata, ${grouped(found.youtube)} by YouTube's search.`,
  )
  const { songs, withVideo, undecided, unidentified } = await countVideoState(db)
  const share = songs === 0 ? 0 : Math.floor((100 * withVideo) / songs)
  print(
    `${grouped(withVideo)} of ${grouped(songs)} songs have a video (${share} %); ` +
      `${grouped(undecided)} others have a candidate that stewards decide about at /desk.`,
  )
  if (searchEnd === 'no-key') {
    print(
      'YOUTUBE_API_KEY is not set: YouTube was not searched, and it gave no lengths and no countries to compare.',
    )
  }
  if (searchEnd === 'budget') {
    print(
      `The ${SEARCHES} searches of today are used up. They begin again at midnight Pacific time; run the same command then.`,
    )
  }
  if (unidentified > 0) {
    print(
      `${grouped(unidentified)} songs without a video have no recording_mbid, by which MusicBrainz and Wikidata find ` +
        'videos. catalogue enrich finds it.',
    )
  }
  if (isDryRun) print('This was a dry run. Nothing was changed.')
}

const foundIn = ({ found }: VideoCounts) => found.musicbrainz + found.wikidata + found.youtube

const grouped = (count: number) => count.toLocaleString('en')
