import type { Env } from '../env.ts'

export const USAGE = `Usage: npm run catalogue -- COMMAND

  import FILE   imports songs from CSV, TSV, JSON or JSON lines
    --dry-run               prints what would be imported and rejected; changes nothing
    --update                overwrites existing values; the default is to fill in missing ones only
    --columns OURS=THEIRS   maps the file's column names, such as title=Track,artist=Band
    --microgenre NAME       the microgenre of rows without one
    --microgenres FILE      imports microgenres first, with the columns of catalogue/microgenres.tsv
    --create-microgenres    creates unknown microgenres by name
    --report FILE           writes every rejected row, with line, field and reason

  export FILE   writes all songs, in the format of the file's extension
    --microgenres FILE      writes the microgenres too, as TSV

  verify        checks every video at YouTube; songs whose video is dead play their preview
    --dry-run               reports only; changes nothing
    --report FILE           writes every unplayable video

  enrich        fills in missing Deezer tracks, durations and covers, recordings and ISRCs
    --dry-run               asks the services and prints what they know; changes nothing
    --report FILE           writes every song that is not identified, with the reason

  videos        finds videos for songs that have none, at MusicBrainz, Wikidata and YouTube
    --dry-run               asks the services and prints what they know; changes nothing
    --report FILE           writes every video that was judged, with score, source and reason

  grow          adds songs from open data to microgenres that run low, and suggests others to the desk
    --microgenre NAME       grows this one only
    --limit N               adds at most so many songs to each
    --dry-run               asks the services and prints what they know; changes nothing
    --report FILE           writes every candidate, with score and result

  check         reports errors and missing data in the existing songs
    --coverage              prints what is known about the songs of each microgenre, as on /coverage
    --report FILE           writes every finding

FILE may be compressed with gzip (.gz). - is standard input or output; set --format csv, tsv, json or jsonl
with it. Ctrl-C stops between two batches; run the same command again to continue.`

/** The context of a command. */
export interface CommandLine {
  env: Env
  files: string[]
  options: {
    'dry-run'?: boolean
    update?: boolean
    'create-microgenres'?: boolean
    microgenre?: string
    microgenres?: string
    columns?: string
    format?: string
    limit?: string
    report?: string
    coverage?: boolean
  }
  /** The folder of relative paths. */
  folder: string
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Prints a line to standard output. */
  print: (line: string) => void
  /** Prints a line to standard error. */
  printError: (line: string) => void
}

/** The exit code after Ctrl-C. */
export const INTERRUPTED = 130
