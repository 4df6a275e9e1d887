import type { Env } from '../env.ts'

export const USAGE = `Usage: npm run catalogue -- COMMAND

  import FILE   brings songs in from CSV, TSV, JSON or JSON lines
    --dry-run               says what would be taken and refused, and changes nothing
    --update                the file's words go before the database's; else songs only get what they lack
    --columns OURS=THEIRS   what the file calls its columns, such as title=Track,artist=Band
    --microgenre NAME       for rows that name none
    --microgenres FILE      microgenres with the columns of catalogue/microgenres.tsv, brought in first
    --create-microgenres    makes those that are not there, by name only
    --report FILE           every row that was refused, with line, field and reason

  export FILE   writes all songs, in the format that the file's name ends with
    --microgenres FILE      the microgenres as well, as TSV

  verify        asks YouTube for every video; songs whose video is dead go straight to their preview
    --dry-run               tells only
    --report FILE           every video that cannot be played

  enrich        fills in Deezer tracks, durations and covers that songs lack

  check         looks for what is wrong or missing in the songs that are there
    --report FILE           every finding

FILE may be packed with gzip (.gz). - is the standard input or output; --format csv, tsv, json or jsonl then
says how it is written. Ctrl-C stops between two batches; the same command goes on.`

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
    report?: string
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
