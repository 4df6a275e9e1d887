import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { packageFolder } from '../../packageFolder.ts'
import type { BackupHeader } from './format.ts'

/**
 * Provides a folder with only the migrations of a backup.
 * @throws Error when it has one that this version does not have.
 */
export async function withMigrations<T>(
  seen: BackupHeader['migrations'],
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const all = packageFolder('server/db/migrations')
  const known = new Map(
    readMigrationFiles({ migrationsFolder: all }).map((each) => [String(each.folderMillis), each.hash]),
  )
  if (seen.length === 0 || seen.some(({ hash, createdAt }) => known.get(createdAt) !== hash)) {
    throw new Error(
      'The backup was written by a newer version of Banger or Bust, or by a modified one. Restore it with that version or a newer one.',
    )
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-migrations-'))
  try {
    const journal = JSON.parse(await readFile(path.join(all, 'meta', '_journal.json'), 'utf8')) as Journal
    const entries = journal.entries.filter(({ when }) =>
      seen.some(({ createdAt }) => createdAt === String(when)),
    )
    await mkdir(path.join(folder, 'meta'))
    await writeFile(path.join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }))
    for (const { tag } of entries)
      await copyFile(path.join(all, `${tag}.sql`), path.join(folder, `${tag}.sql`))
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Journal {
  entries: { when: number; tag: string }[]
}
