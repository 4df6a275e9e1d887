import { parseArgs } from 'node:util'
import { readEnv } from '../env.ts'
import { fileErrorMessage, UsageError } from '../inputErrors.ts'
import { check } from './check.ts'
import { type CommandLine, OPTIONS, runCommand } from './command.ts'
import { enrich } from './enrich.ts'
import { exportCommand } from './export.ts'
import { grow } from './growth/grow.ts'
import { importCommand } from './import.ts'
import { verify } from './verify.ts'
import { videos } from './videos/videos.ts'

const USAGE = `Usage: npm run catalogue -- COMMAND

  import FILE   imports songs from CSV, TSV, JSON or JSON lines
    --dry-run               prints what would be imported and rejected; changes nothing
    --update                overwrites existing values; the default is to fill in missing ones only
    --columns OURS=THEIRS   maps the file's column names, such as title=Track,artist=Band
    --encoding NAME         such as windows-1252; the default is UTF-8 or UTF-16
    --microgenre NAME       the microgenre of rows without one
    --microgenres FILE      imports microgenres first, with the columns of catalogue/microgenres.tsv
    --create-microgenres    creates unknown microgenres by name
    --report FILE           writes every rejected row, with line, field and reason

  export FILE   writes all songs, in the format of the file's extension
    --microgenres FILE      writes the microgenres too, as TSV

  verify        checks every video at YouTube, and whole recordings; songs without play their preview
    --dry-run               reports only; changes nothing
    --report FILE           writes every unplayable video

  enrich        fills in missing Deezer tracks, durations and covers, recordings and ISRCs
    --dry-run               asks the services and prints what they know; changes nothing
    --report FILE           writes every song that is not identified, with the reason

  videos        finds videos for songs that have none, at MusicBrainz, Wikidata, Discogs and YouTube
    --dry-run               asks the services and prints what they know; changes nothing
    --report FILE           writes every video that was judged, with score, source and reason

  grow          adds songs from open data to microgenres that run low, and suggests others to the desk
    --microgenre NAME       grows this one only
    --limit N               adds at most so many songs to each
    --source archive        adds whole recordings of the Internet Archive instead, at most ten to each
    --dry-run               asks the services and prints what they know; changes nothing
    --report FILE           writes every candidate, with score and result

  check         reports errors and missing data in the existing songs
    --coverage              prints what is known about the songs of each microgenre, as on /coverage
    --report FILE           writes every finding

FILE may be compressed with gzip (.gz). - is standard input or output; set --format csv, tsv, json or jsonl
with it. Ctrl-C stops between two batches; run the same command again to continue.`

const COMMANDS: Record<string, (line: CommandLine) => Promise<number>> = {
  import: (line) => runCommand(importCommand, line),
  export: exportCommand,
  verify: (line) => runCommand(verify, line),
  enrich: (line) => runCommand(enrich, line),
  videos: (line) => runCommand(videos, line),
  grow: (line) => runCommand(grow, line),
  check,
}

interface Caller extends Omit<CommandLine, 'env' | 'file' | 'options'> {
  environment: Record<string, string | undefined>
}

/** Runs one command and returns its exit code. Prints errors. */
export async function runCatalogue(args: string[], { environment, ...caller }: Caller): Promise<number> {
  try {
    const { values: options, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
    const [name = '', file = '', ...more] = positionals
    const command = Object.hasOwn(COMMANDS, name) && COMMANDS[name]
    if (command) {
      const env = readEnv(environment)
      const takesFile = name === 'import' || name === 'export'
      if (more.length === 0 && takesFile === (file !== ''))
        return await command({ ...caller, file, options, env })
      caller.printError(USAGE)
      return 2
    }
  } catch (error) {
    if (!isParseArgsError(error)) {
      caller.printError(fileErrorMessage(error) ?? (error instanceof Error ? error.message : String(error)))
      return error instanceof UsageError ? 2 : 1
    }
    caller.printError(`${error.message}\n`)
  }
  caller.printError(USAGE)
  return 2
}

function isParseArgsError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
