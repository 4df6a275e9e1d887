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
const TOLD = 10
const REPORTED = 1_000_000

/** `verify`. Returns 0 when every video was checked, however many are dead. */
export async function runVerify(given: CommandLine): Promise<number> {
  const { env, files, options, folder, signal, print } = given
  if (files.length > 0) throw new BadInput(USAGE)
  const isRehearsal = options['dry-run'] ?? false
  const { db, close } = await openCatalogue(env)
  const line = startProgressLine()
  const started = Date.now()
  const dead: DeadVideo[] = []
  let counts: VerifyCounts | undefined
  try {
    counts = await verifyVideos(db, createYoutube(env, pino({ level: 'silent' }), db), {
      isRehearsal,
      size: env.YOUTUBE_API_KEY ? LIST_SIZE : WITHOUT_KEY,
      signal,
      onDead: (some) => void dead.push(...some.slice(0, (options.report ? REPORTED : TOLD) - dead.length)),
      onProgress(now) {
        counts = now
        line.show(
          now.all > 0 ? now.done / now.all : null,
          `${now.done} of ${now.all}, ${now.unplayable} dead`,
        )
      },
    })
    return counts.wasInterrupted ? INTERRUPTED : 0
  } finally {
    line.end()
    await close()
    if (counts) tell(counts, { print, dead, milliseconds: Date.now() - started, isRehearsal })
    if (options.report) {
      await writeFile(resolve(folder, options.report), reportOf(dead))
      print(`Every video that cannot be played stands in ${options.report}.`)
    }
  }
}

interface Told {
  print: CommandLine['print']
  dead: DeadVideo[]
  milliseconds: number
  isRehearsal: boolean
}

function tell(counts: VerifyCounts, { print, dead, milliseconds, isRehearsal }: Told): void {
  const grouped = (count: number) => count.toLocaleString('en')
  print(
    `${counts.wasInterrupted ? 'Stopped after' : 'Verified'} ${grouped(counts.done)} of ${grouped(counts.all)} ` +
      `videos in ${duration(milliseconds)}: ${grouped(counts.playable)} can be played, ` +
      `${grouped(counts.unplayable)} cannot, of ${grouped(counts.unanswered)} YouTube said nothing.`,
  )
  for (const { key, youtubeId, problem } of dead.slice(0, TOLD)) print(`  ${key} (${youtubeId}): ${problem}`)
  if (counts.unplayable > TOLD) print(`  and ${grouped(counts.unplayable - TOLD)} more.`)
  if (counts.newlyBlocked > 0) {
    print(
      `${isRehearsal ? 'Would send' : 'Sent'} ${grouped(counts.newlyBlocked)} songs straight to their previews, ` +
        'until their videos are verified or replaced.',
    )
  }
}

const reportOf = (dead: DeadVideo[]) =>
  ['key\tartist\ttitle\tyoutube_id\tproblem']
    .concat(dead.map((one) => [one.key, one.artist, one.title, one.youtubeId, one.problem].join('\t')))
    .join('\n')
    .concat('\n')
