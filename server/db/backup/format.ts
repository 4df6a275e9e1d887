/*
 * A backup is gzipped text: two lines of comment, of which the second is the header as JSON; for each table a COPY
 * statement, its rows in PostgreSQL's text format up to a line with \. alone, and how many they were; the sequences;
 * and a last line by which a whole file is known from one that was cut short. Rows of text go into every version of
 * PostgreSQL, on every kind of machine.
 */

export const FIRST_LINE = '-- Banger or Bust backup, format 1'
export const LAST_LINE = '-- end of backup'
export const END_OF_ROWS = '\\.'

export interface BackupHeader {
  takenAt: string
  /** The server that it was taken from, such as '18.4'. */
  postgres: string
  /** The migrations that its tables have seen, in order, as the migrator keeps them. */
  migrations: { hash: string; createdAt: string }[]
}

export const copyLine = (table: string, columns: readonly string[]) =>
  `COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) FROM stdin;`

export const copyOutOf = (table: string, columns: readonly string[]) =>
  `COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) TO stdout`

export const rowsLine = (rows: number) => `-- ${rows} rows`

export const sequenceLine = (sequence: string, value: string) =>
  `SELECT setval('${quoted(sequence).replaceAll("'", "''")}', ${value});`

/** Only what `copyLine` and `sequenceLine` write: a file from elsewhere cannot bring statements of its own. */
export const COPY_PATTERN = /^COPY ("[a-z_0-9]+") \(("[a-z_0-9]+"(?:, "[a-z_0-9]+")*)\) FROM stdin;$/
export const ROWS_PATTERN = /^-- (\d+) rows$/
export const SEQUENCE_PATTERN = /^SELECT setval\('("[a-z_0-9]+")', (\d+)\);$/

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
