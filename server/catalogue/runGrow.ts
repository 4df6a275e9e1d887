import { resolve } from 'node:path'
import { pino } from 'pino'
import type { Database } from '../db/connection.ts'
import { createListenbrainz } from '../integrations/listenbrainz.ts'
import { createMusicbrainz } from '../integrations/musicbrainz.ts'
import { copyProviderCache } from '../integrations/providerCache.ts'
import { copySuggestions } from '../suggestions/proposals.ts'
import { type CommandLine, INTERRUPTED, USAGE } from './commandLine.ts'
import { BadInput } from './fault.ts'
import type { Genre } from './growth/collectCandidates.ts'
import { copyFoundMicrogenres } from './growth/foundMicrogenres.ts'
import { createGrow, type Grow } from './growth/growMicrogenre.ts'
import { findAllLow } from './growth/lowMicrogenres.ts'
import { copySongCandidates, listCandidates } from './growth/songCandidates.ts'
import { MicrogenreNames } from './microgenreNames.ts'
import { openCatalogue } from './openCatalogue.ts'
import { openReport } from './openReport.ts'
import { type ProgressLine, startProgressLine } from './progressLine.ts'
import { startDryRun } from './startDryRun.ts'

/** `grow`. Returns 0 when every microgenre was grown as far as the sources answered. */
export async function runGrow({ env, files, options, folder, signal, print }: CommandLine): Promise<number> {
  if (files.length > 0) throw new BadInput(USAGE)
  const limit = readLimit(options.limit)
  const report = options.report ? await openReport(resolve(folder, options.report)) : null
  const { db, close } = await openCatalogue(env)
  const line = startProgressLine()
  try {
    const genres =
      options.microgenre === undefined ? await findAllLow(db) : [await find(db, options.microgenre)]
    if (options['dry-run']) {
      await startDryRun(db)
      await copyProviderCache(db)
      await copySuggestions(db)
      await copySongCandidates(db)
      await copyFoundMicrogenres(db)
    }
    const log = pino({ level: 'silent' })
    const listenbrainz = createListenbrainz(env, log, db)
    if (!listenbrainz) print(NO_TOKEN)
    const services = { listenbrainz, musicbrainz: createMusicbrainz(env, log, db) }
    await growAll(genres, createGrow(db, env, services, { limit, signal }), { line, print, signal })
    if (options['dry-run']) print('This was a dry run. Nothing was changed.')
    return signal.aborted ? INTERRUPTED : 0
  } finally {
    line.end()
    try {
      if (report) {
        for await (const lines of listCandidates(db)) await report.write(lines)
        print(`All candidates are in ${options.report}.`)
      }
    } finally {
      await report?.close()
      await close()
    }
  }
}

const NO_TOKEN =
  'LISTENBRAINZ_TOKEN is not set, so ListenBrainz is not asked: fewer songs have a second source, and more of them ' +
  'wait for a steward.'

interface Output {
  line: ProgressLine
  print: CommandLine['print']
  signal: AbortSignal
}

async function growAll(genres: Genre[], grow: Grow, { line, print, signal }: Output): Promise<void> {
  const all = { added: 0, proposed: 0 }
  let done = 0
  let unanswered = 0
  try {
    for (const genre of genres) {
      line.show(done / genres.length, `${genre.name}, ${all.added} songs added`)
      const { added, proposed, isAnswered } = await grow(genre)
      if (added + proposed > 0)
        print(`${genre.name}: ${counted(added, 'song')} added, ${proposed} suggested to the desk.`)
      all.added += added
      all.proposed += proposed
      if (!isAnswered) unanswered += 1
      if (signal.aborted) return
      done += 1
    }
  } catch (error) {
    // Ctrl-C during a wait is not a failure.
    if (!signal.aborted) throw error
  } finally {
    line.end()
    print(
      `${signal.aborted ? 'Stopped after' : 'Went through'} ${done} of ${counted(genres.length, 'microgenre')}: ` +
        `${counted(all.added, 'song')} added, ${all.proposed} suggested to the desk.`,
    )
    if (unanswered > 0)
      print(
        `Not everything was answered about ${counted(unanswered, 'microgenre')}. Run the same command again.`,
      )
  }
}

/** @throws BadInput when there is none. */
async function find(db: Database, name: string): Promise<Genre> {
  const id = (await MicrogenreNames.read(db)).find(name)
  const [genre] =
    id === undefined
      ? []
      : await db<Genre[]>`
    select id, name from microgenres where id = ${id} and retired_at is null`
  if (!genre) throw new BadInput(`There is no microgenre '${name}'.`)
  return genre
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new BadInput('--limit must be a number from 1 on.')
  return Number(text)
}

const counted = (count: number, what: string) =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
