import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pino } from 'pino'
import { createYoutube } from '../integrations/youtube.ts'
import { LIST_SIZE } from '../integrations/youtubeData.ts'
import { type CommandLine, INTERRUPTED, USAGE } from './commandLine.ts'
import { BadInput } from './fault.ts'
import { openCatalogue } from './openCatalogue.ts'
import { duration, startProgressLine } from './progressLine.ts'
import { type DeadVideo, type VerifyCounts, verifyVideos } from './verifyVideos.ts'

/** Songs per step without a key: YouTube is asked about each. */
const WITHOUT_KEY = 20

/** Dead videos on screen and in the report. */
const MOST_PRINTED = 10
const MOST_REPORTED = 1_000_000

/** `verify`. Returns 0 when every video was checked, however many are dead. */
export async function runVerify(commandLine: CommandLine): Promise<number> {
  const { env, files, options, folder, signal, print } = commandLine
  if (files.length > 0) throw new BadInput(USAGE)
  const isDryRun = options['dry-run'] ?? false
  const { db, close } = await openCatalogue(env)
  const line = startProgressLine()
  const started = Date.now()
  const dead: DeadVideo[] = []
  let counts: VerifyCounts | undefined
  try {
    counts = await verifyVideos(db, createYoutube(env, pino({ level: 'silent' }), db), {
      isDryRun,
      size: env.YOUTUBE_API_KEY ? LIST_SIZE : WITHOUT_KEY,
      signal,
      onDead: (some) =>
        void dead.push(...some.slice(0, (options.report ? MOST_REPORTED : MOST_PRINTED) - dead.length)),
      onProgress(now) {
        counts = now
        line.show(
          now.all > 0 ? now.done / now.all : null,
          `${now.done} of ${now.all}, ${now.unplayable} unplayable`,
        )
      },
    })
    return counts.wasInterrupted ? INTERRUPTED : 0
  } finally {
    line.end()
    await close()
    if (counts) printSummary(counts, { print, dead, milliseconds: Date.now() - started, isDryRun })
    if (options.report) {
      await writeFile(resolve(folder, options.report), reportOf(dead))
      print(`All unplayable videos are in ${options.report}.`)
    }
  }
}

interface Summary {
  print: CommandLine['print']
  dead: DeadVideo[]
  milliseconds: number
  isDryRun: boolean
}

function printSummary(counts: VerifyCounts, { print, dead, milliseconds, isDryRun }: Summary): void {
  const grouped = (count: number) => count.toLocaleString('en')
  print(
    `${counts.wasInterrupted ? 'Stopped after' : 'Verified'} ${grouped(counts.done)} of ${grouped(counts.all)} ` +
      `videos in ${duration(milliseconds)}: ${grouped(counts.playable)} playable, ` +
      `${grouped(counts.unplayable)} unplayable, ${grouped(counts.unanswered)} without an answer from YouTube.`,
  )
  for (const { key, youtubeId, problem } of dead.slice(0, MOST_PRINTED))
    print(`  ${key} (${youtubeId}): ${problem}`)
  if (counts.unplayable > MOST_PRINTED) print(`  and ${grouped(counts.unplayable - MOST_PRINTED)} more.`)
  if (counts.newlyBlocked > 0) {
    print(
      `${grouped(counts.newlyBlocked)} songs ${isDryRun ? 'would play' : 'now play'} their previews ` +
        'until their videos are verified or replaced.',
    )
  }
}

const reportOf = (dead: DeadVideo[]) =>
  ['key\tartist\ttitle\tyoutube_id\tproblem']
    .concat(dead.map((one) => [one.key, one.artist, one.title, one.youtubeId, one.problem].join('\t')))
    .join('\n')
    .concat('\n')
