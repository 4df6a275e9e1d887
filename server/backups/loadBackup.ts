import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { DatabaseError } from 'pg'
import {
  type ConnectionTarget,
  type Database,
  NO_STATEMENT_TIMEOUT,
  type Transaction,
  withDatabase,
} from '../db/connection.ts'
import { endAtVersion01, type Migration, migrateDatabase, readMigrations } from '../db/migrate.ts'
import {
  type BackupHeader,
  COPY_PATTERN,
  END_OF_ROWS,
  FIRST_LINE,
  LAST_LINE,
  ROWS_PATTERN,
  SEQUENCE_PATTERN,
} from './format.ts'

/**
 * Loads a backup into an empty database: runs the backup's migrations, loads all rows in one transaction, and runs the newer
 * migrations. Returns the number of rows of each table.
 * @throws Error for the operator when the file is not a backup, is truncated or damaged, or comes from a newer version. No
 * rows are loaded then.
 */
export async function loadBackup(file: string, target: ConnectionTarget): Promise<Record<string, number>> {
  const header = await readHeader(file)
  await migrateDatabase(target, { migrations: migrationsOf(header), functions: null })
  const load = async (db: Database) => {
    const rows = await db.begin((tx) => loadRows(tx, linesOf(file)))
    await db`analyze`
    await migrateDatabase(target)
    return rows
  }
  return withDatabase(target, load, NO_STATEMENT_TIMEOUT)
}

/** @throws Error when the file is not a backup, or does not exist. */
export async function readHeader(file: string): Promise<BackupHeader> {
  const lines = linesOf(file)
  try {
    const first = String((await lines.next()).value ?? '')
    if (first !== FIRST_LINE) throw new Error(`${file} is not a backup of Banger or Bust.`)
    return JSON.parse(String((await lines.next()).value).slice('-- '.length)) as BackupHeader
  } catch (error) {
    throw error instanceof SyntaxError ? new Error(`${file} is damaged.`) : error
  } finally {
    await lines.return(undefined)
  }
}

async function loadRows(
  tx: Transaction,
  lines: AsyncGenerator<Buffer, void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let table = ''
  let isComplete = false
  // Migrations have written some rows.
  const names = await tx<{ name: string }[]>`
    select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  await tx.unsafe(`truncate ${names.map(({ name }) => name).join(', ')}`)
  // The backup has the counts.
  await tx`alter table follows disable trigger user`
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const line = String(next.value)
    const copy = COPY_PATTERN.exec(line)
    const sequence = SEQUENCE_PATTERN.exec(line)
    const expected = ROWS_PATTERN.exec(line)
    if (copy) {
      table = copy[1]?.slice(1, -1) ?? ''
      counts[table] = await copyRows(tx, line, lines).catch((error: unknown) => {
        throw damageError(table, error)
      })
    } else if (expected) {
      if (counts[table] !== Number(expected[1]))
        throw new Error(
          `The backup is damaged: ${table} has ${counts[table]} rows instead of ${expected[1]}.`,
        )
    } else if (sequence) {
      await tx`select setval(${sequence[1] ?? ''}::regclass, ${sequence[2] ?? ''}::bigint)`
    } else if (line === LAST_LINE) isComplete = true
    else if (!line.startsWith('-- ')) throw new Error('The backup contains an unexpected line.')
  }
  if (!isComplete) throw new Error('The backup is truncated.')
  await tx`alter table follows enable trigger user`
  return counts
}

/** The operator's error where PostgreSQL refused a row: a data exception, a violated constraint or an unknown column. */
function damageError(table: string, error: unknown): unknown {
  if (!(error instanceof DatabaseError) || !/^(2[23]|42)/.test(error.code ?? '')) return error
  const [, row, column] = /line (\d+)(?:, column (\w+))?/.exec(error.where ?? '') ?? []
  const place = [row && `row ${row}`, column && `column ${column}`].filter(Boolean).join(', ')
  return new Error(`The backup is damaged: ${table} does not fit${place ? ` (${place})` : ''}.`, {
    cause: error,
  })
}

/** Copies the rows up to the end-of-data line into a table. */
async function copyRows(
  tx: Transaction,
  statement: string,
  lines: AsyncGenerator<Buffer, void>,
): Promise<number> {
  let rows = 0
  async function* blocks() {
    let block: Buffer[] = []
    let size = 0
    for (let next = await lines.next(); ; next = await lines.next()) {
      if (next.done) throw new Error('The backup is truncated.')
      if (next.value.length === END_OF_ROWS.length && String(next.value) === END_OF_ROWS) break
      rows++
      block.push(next.value, NEWLINE)
      size += next.value.length + 1
      if (size < BLOCK_SIZE) continue
      yield Buffer.concat(block)
      block = []
      size = 0
    }
    if (size > 0) yield Buffer.concat(block)
  }
  await tx.copyIn(statement, blocks())
  return rows
}

/** The decompressed lines. Only a newline ends one: rows may contain what readline also treats as line ends. */
async function* linesOf(file: string): AsyncGenerator<Buffer, void> {
  const packed = createReadStream(file)
  const unpacked = packed.pipe(createGunzip())
  packed.on('error', (error) => unpacked.destroy(error))
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      const text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let from = 0
      for (let to = text.indexOf(10); to >= 0; to = text.indexOf(10, from)) {
        yield text.subarray(from, to)
        from = to + 1
      }
      rest = text.subarray(from)
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`)
    if (code === 'EISDIR') throw new Error(`${file} is a folder. Name the backup in it.`)
    if (code === 'Z_BUF_ERROR') throw new Error('The backup is truncated.')
    if (code.startsWith('Z_')) throw new Error(`${file} is not a backup of Banger or Bust, or is damaged.`)
    throw error
  } finally {
    packed.destroy()
  }
}

const NEWLINE = Buffer.from('\n')

/** Bytes per write to PostgreSQL. */
const BLOCK_SIZE = 64 * 1024

/**
 * The migrations of a backup; the baseline for one of the last 0.1.
 * @throws Error when it has one that this version does not have.
 */
export function migrationsOf({ migrations: applied }: BackupHeader): Migration[] {
  const all = readMigrations()
  if (endAtVersion01(applied)) return all.slice(0, 1)
  const hashes = new Map(all.map(({ when, hash }) => [String(when), hash]))
  if (applied.length === 0 || applied.some(({ hash, createdAt }) => hashes.get(createdAt) !== hash)) {
    throw new Error(
      'The backup was written by a newer version of Banger or Bust, by one before the last 0.1, or by a modified one. Restore it with that version or a newer one. For one before the last 0.1, restore it with the last 0.1 (commit 9b040d6), and back up again.',
    )
  }
  return all.filter(({ when }) => applied.some(({ createdAt }) => createdAt === String(when)))
}
