import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { parseArgs } from 'node:util'
import { pino } from 'pino'
import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import type { Database } from '../db/connection.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { openForProgram } from '../db/openForProgram.ts'
import type { Env } from '../env.ts'
import { BadInput, fileErrorMessage } from '../inputErrors.ts'
import { createArchive } from '../integrations/archive.ts'
import { createDeezer } from '../integrations/deezer.ts'
import { createDiscogs } from '../integrations/discogs.ts'
import { createListenbrainz } from '../integrations/listenbrainz.ts'
import { createMusicbrainz } from '../integrations/musicbrainz.ts'
import { createWikidata } from '../integrations/wikidata.ts'
import { createYoutube } from '../integrations/youtube.ts'
import { packagePath } from '../packagePath.ts'
import { loadCatalogue } from './loadCatalogue.ts'
import { formatElapsed, startProgressLine } from './progressLine.ts'
import { type DryRunTable, startDryRun } from './startDryRun.ts'

/** Of all commands. */
export const OPTIONS = {
  'dry-run': { type: 'boolean' },
  update: { type: 'boolean' },
  'create-microgenres': { type: 'boolean' },
  microgenre: { type: 'string' },
  microgenres: { type: 'string' },
  columns: { type: 'string' },
  format: { type: 'string' },
  encoding: { type: 'string' },
  limit: { type: 'string' },
  source: { type: 'string' },
  report: { type: 'string' },
  coverage: { type: 'boolean' },
} as const

export interface CommandLine {
  env: Env
  /** The FILE of `import` and `export`; empty for other commands. */
  file: string
  options: ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']
  /** The folder of relative paths. */
  folder: string
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  print: (line: string) => void
  printError: (line: string) => void
}

/** A long-running command; `runCommand` handles progress, report and dry run. */
export interface Command<Counts extends { wasInterrupted: boolean }, Input> {
  /** Validates the command line before anything is opened. @throws BadInput */
  prepare?(line: CommandLine): Input | Promise<Input>
  run(work: CommandRun<Input>, onProgress: (counts: Counts) => void): Promise<Counts>
  /** The share done, null where the total is unknown. */
  progress(counts: Counts, work: CommandRun<Input>): { share: number | null; text: string }
  /** Lines for the operator. */
  summary(counts: Counts, work: CommandRun<Input>, time: RunTime): string[] | Promise<string[]>
  report: {
    /** What the report lists. */
    of: string
    columns: string[]
    /** Its rows, unless the run writes them itself. */
    rows?(db: Database): AsyncIterable<Cell[][]>
  }
}

export interface CommandRun<Input = void>
  extends Pick<CommandLine, 'env' | 'file' | 'options' | 'signal' | 'print'> {
  db: Database
  services: ReturnType<typeof createServices>
  isDryRun: boolean
  input: Input
  /** In a dry run, redirects all further work to copies of songs, microgenres and these tables. */
  copyForDryRun(...tables: DryRunTable[]): Promise<void>
  /** Writes rows to the report, if there is one. */
  writeReport(rows: Cell[][]): Promise<void>
}

interface RunTime {
  text: string
  seconds: number
}

type Cell = string | number | null

/** The exit code after Ctrl-C. */
export const EXIT_INTERRUPTED = 130

export const DRY_RUN_NOTICE = 'This was a dry run. Nothing was changed.'

/** Returns 0 on success and EXIT_INTERRUPTED after Ctrl-C. */
export async function runCommand<Counts extends { wasInterrupted: boolean }, Input = void>(
  command: Command<Counts, Input>,
  line: CommandLine,
): Promise<number> {
  const { env, options, folder, print } = line
  const input = (await command.prepare?.(line)) as Input
  const report = options.report === undefined ? null : await openReport(resolve(folder, options.report))
  const { db, close } = await openCatalogue(env).catch(async (error: unknown) => {
    await report?.close()
    throw error
  })
  const isDryRun = options['dry-run'] ?? false
  const writeReport = async (rows: Cell[][]) => void (await report?.write(rows.map(toTsvLine).join('')))
  const work: CommandRun<Input> = {
    ...line,
    db,
    services: createServices(env, db),
    isDryRun,
    input,
    copyForDryRun: async (...tables) => void (isDryRun && (await startDryRun(db, ...tables))),
    writeReport,
  }
  const progress = startProgressLine()
  const started = Date.now()
  let counts: Counts | undefined
  try {
    await writeReport([command.report.columns])
    counts = await command.run(work, (now) => {
      counts = now
      const { share, text } = command.progress(now, work)
      progress.show(share, text)
    })
    return counts.wasInterrupted ? EXIT_INTERRUPTED : 0
  } finally {
    progress.end()
    try {
      const time = { text: formatElapsed(Date.now() - started), seconds: (Date.now() - started) / 1000 }
      if (counts) for (const text of await command.summary(counts, work, time)) print(text)
      if (report) {
        for await (const rows of command.report.rows?.(db) ?? []) await writeReport(rows)
        print(`All ${command.report.of} are in ${options.report}.`)
      }
    } finally {
      await report?.close()
      await close()
    }
  }
}

/**
 * Opens the database for one command, on one connection: the running server's, else one started for the command. A
 * new database gets the schema and the starter catalogue.
 */
export async function openCatalogue(env: Env): Promise<{ db: Database; close(): Promise<void> }> {
  const { db, target, close } = await openForProgram(env, { mayCreate: true })
  try {
    // For the temporary tables of imports and dry runs. Can only be set before the first is used.
    await db`set temp_buffers = '256MB'`
    await migrateDatabase(target)
    const [microgenre] = await db`select from microgenres limit 1`
    if (!microgenre) await loadCatalogue(db, readCatalogue(packagePath('catalogue')))
    return { db, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens the report before a run begins. @throws BadInput when it cannot be written. */
async function openReport(file: string): Promise<FileHandle> {
  return open(file, 'w').catch((error: unknown) => {
    throw new BadInput(`The report cannot be written. ${fileErrorMessage(error) ?? error}`)
  })
}

export function createServices(env: Env, db: Database) {
  const log = pino({ level: 'silent' })
  return {
    archive: createArchive(env, log, db),
    deezer: createDeezer(env, log, db),
    discogs: createDiscogs(env, log, db),
    /** Null without a token. */
    listenbrainz: createListenbrainz(env, log, db),
    musicbrainz: createMusicbrainz(env, log, db),
    wikidata: createWikidata(env, log, db),
    youtube: createYoutube(env, log, db),
  }
}

const toTsvLine = (cells: Cell[]) =>
  `${cells.map((cell) => String(cell ?? '').replace(/\s+/g, ' ')).join('\t')}\n`

/** 1234 as `1,234`. */
export const formatCount = (count: number) => count.toLocaleString('en')

/** `1,234 songs`. */
export const formatCounted = (count: number, what: string) =>
  `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`

export const wholePercent = (part: number, of: number) => (of === 0 ? 0 : Math.floor((100 * part) / of))
