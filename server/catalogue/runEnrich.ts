import { pino } from 'pino'
import { createDeezer } from '../integrations/deezer.ts'
import { type CommandLine, INTERRUPTED, USAGE } from './commandLine.ts'
import { type EnrichCounts, enrichSongs } from './enrichSongs.ts'
import { BadInput } from './fault.ts'
import { openCatalogue } from './openCatalogue.ts'
import { duration, startProgressLine } from './progressLine.ts'

/** `enrich`. Returns 0 when Deezer was asked about every incomplete song. */
export async function runEnrich({ env, files, signal, print }: CommandLine): Promise<number> {
  if (files.length > 0) throw new BadInput(USAGE)
  const { db, close } = await openCatalogue(env)
  const line = startProgressLine()
  const started = Date.now()
  let counts: EnrichCounts | undefined
  try {
    counts = await enrichSongs(db, createDeezer(env, pino({ level: 'silent' })), {
      signal,
      onProgress(now) {
        counts = now
        line.show(
          now.all > 0 ? now.done / now.all : null,
          `${now.done} of ${now.all}, ${now.unknown} not found`,
        )
      },
    })
    return counts.wasInterrupted ? INTERRUPTED : 0
  } finally {
    line.end()
    await close()
    if (counts) printSummary(counts, print, Date.now() - started)
  }
}

function printSummary(counts: EnrichCounts, print: CommandLine['print'], milliseconds: number): void {
  const grouped = (count: number) => count.toLocaleString('en')
  print(
    `${counts.wasInterrupted ? 'Stopped after looking up' : 'Looked up'} ${grouped(counts.done)} of ` +
      `${grouped(counts.all)} incomplete songs in ${duration(milliseconds)}.`,
  )
  print(
    `Filled in ${grouped(counts.tracks)} tracks, ${grouped(counts.durations)} durations and ` +
      `${grouped(counts.art)} covers; Deezer did not find ${grouped(counts.unknown)}.`,
  )
}
