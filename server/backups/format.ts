/*
 * A backup is gzipped text: two comment lines, the second with the header as JSON; for each table a COPY statement,
 * its rows in PostgreSQL's text format up to a line with \. alone, and the number of rows; the sequences; and an end
 * marker that shows that the file is complete. Text rows can be loaded into every version of PostgreSQL on every
 * platform.
 */

export const FIRST_LINE = '-- Banger or Bust backup, format 1'
export const LAST_LINE = '-- end of backup'
export const END_OF_ROWS = '\\.'

export interface BackupHeader {
  takenAt: string
  /** The server's version, such as '18.4'. */
  postgres: string
  /** The migrations applied to its tables, in order, as the migrator stores them. */
  migrations: { hash: string; createdAt: string }[]
}

export const copyLine = (table: string, columns: readonly string[]) =>
  `COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) FROM stdin;`

export const copyOutStatement = (table: string, columns: readonly string[]) =>
  `COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) TO stdout`

export const rowsLine = (rows: number) => `-- ${rows} rows`

export const sequenceLine = (sequence: string, value: string) =>
  `SELECT setval('${quoted(sequence).replaceAll("'", "''")}', ${value});`

/** Only what `copyLine` and `sequenceLine` write: a foreign file cannot run statements of its own. */
export const COPY_PATTERN = /^COPY ("[a-z_0-9]+") \(("[a-z_0-9]+"(?:, "[a-z_0-9]+")*)\) FROM stdin;$/
export const ROWS_PATTERN = /^-- (\d+) rows$/
export const SEQUENCE_PATTERN = /^SELECT setval\('("[a-z_0-9]+")', (\d+)\);$/

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
