import { createWriteStream } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Database, Transaction } from '../db/connection.ts'
import { hasCitus } from '../db/distribute.ts'
import { syncFolder } from '../db/embedded/cluster.ts'
import { isUnsupportedByDisk } from '../db/embedded/diskErrors.ts'
import {
  type BackupHeader,
  copyLine,
  copyOutStatement,
  END_OF_ROWS,
  FIRST_LINE,
  LAST_LINE,
  rowsLine,
  sequenceLine,
} from './format.ts'

/**
 * Writes a snapshot of every table to a new file, while others read and write. The file appears when it is complete and on
 * disk. Returns the number of rows of each table.
 * @throws Error when the file exists or cannot be written.
 */
export async function writeBackup(db: Database, file: string): Promise<Record<string, number>> {
  const draft = `${file}.${process.pid}.part`
  const rows: Record<string, number> = {}
  const isCluster = await hasCitus(db)
  try {
    await db.begin('isolation level repeatable read read only', async (tx) => {
      await tx`set local statement_timeout = 0`
      if (isCluster) await pinClusterSnapshot(tx)
      const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
      await pipeline(Readable.from(generateBackup(tx, rows)), createGzip(), target)
    })
    await renameExclusive(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(path.dirname(file))
  return rows
}

/**
 * On a cluster, the coordinator and each worker have a snapshot of their own. The lock makes the roll-up, which moves
 * ratings from the workers to the coordinator, wait. One connection to each worker keeps the worker's snapshot.
 */
async function pinClusterSnapshot(tx: Transaction): Promise<void> {
  // This waits for a roll-up under way, and takes no snapshot yet.
  await tx`lock table community_totals in share mode`
  await tx`set local citus.max_adaptive_executor_pool_size = 1`
  await tx<{ listeners: string }[]>`select count(*) as listeners from listener_stats`
}

async function* generateBackup(
  tx: Transaction,
  rows: Record<string, number>,
): AsyncGenerator<string | Buffer> {
  // The first statement takes the snapshot for all others.
  yield `${FIRST_LINE}\n-- ${JSON.stringify(await readHeader(tx))}\n`
  for (const { name, columns } of await listTables(tx)) {
    yield `${copyLine(name, columns)}\n`
    rows[name] = 0
    for await (const chunk of tx.copyOut(copyOutStatement(name, columns))) {
      rows[name] += countLines(chunk)
      yield chunk
    }
    yield `${END_OF_ROWS}\n${rowsLine(rows[name])}\n`
  }
  const sequences = await tx<{ name: string; value: string }[]>`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' and sequencename is not null and last_value is not null order by 1`
  for (const { name, value } of sequences) yield `${sequenceLine(name, value)}\n`
  yield `${LAST_LINE}\n`
}

async function readHeader(tx: Transaction): Promise<BackupHeader> {
  const migrations = await tx<{ hash: string; createdAt: string }[]>`
    select hash, created_at::text from drizzle.__drizzle_migrations where created_at is not null
    order by created_at`
  const [row] = await tx<{ takenAt: Date; postgres: string }[]>`
    select now() as taken_at, current_setting('server_version') as postgres`
  return {
    takenAt: (row?.takenAt ?? new Date()).toISOString(),
    postgres: row?.postgres ?? '',
    migrations: [...migrations],
  }
}

/** All tables but unlogged ones, which may be lost at any time. Those that others refer to come first. */
async function listTables(tx: Transaction): Promise<{ name: string; columns: string[] }[]> {
  const remaining = [
    ...(await tx<{ name: string; columns: string[]; wants: string[] }[]>`
      select c.relname as name,
        array(select a.attname::text from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
              order by a.attnum) as columns,
        array(select f.confrelid::regclass::text from pg_constraint f
              where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as wants
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      order by 1`),
  ]
  const tables: { name: string; columns: string[] }[] = []
  while (remaining.length > 0) {
    const ready = remaining.findIndex(({ wants }) =>
      wants.every((name) => tables.some((done) => done.name === name)),
    )
    const [table] = remaining.splice(ready, ready < 0 ? 0 : 1)
    if (!table) throw new Error('The foreign keys of the tables form a cycle.')
    tables.push(table)
  }
  return tables
}

const NEWLINE = 10

/** In PostgreSQL's text format a newline always ends a row. */
function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

/**
 * Renames a complete draft, without overwriting another file: a link fails if the file exists. On a disk without links an
 * empty file reserves the name.
 * @throws Error when the file exists.
 */
export async function renameExclusive(draft: string, file: string, makeLink = link): Promise<void> {
  try {
    await makeLink(draft, file).catch(async (error: unknown) => {
      if (!isUnsupportedByDisk(error)) throw error
      await (await open(file, 'wx')).close()
      await rename(draft, file).catch(async (failure: unknown) => {
        await rm(file)
        throw failure
      })
    })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw exists ? new Error(`${file} already exists. Nothing was changed.`) : error
  }
}
