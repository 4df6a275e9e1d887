import { type Migration, readMigrations } from '../readMigrations.ts'
import type { BackupHeader } from './format.ts'

/**
 * The migrations of a backup.
 * @throws Error when it has one that this version does not have.
 */
export function migrationsOf({ migrations: seen }: BackupHeader): Migration[] {
  const all = readMigrations()
  const known = new Map(all.map(({ when, hash }) => [String(when), hash]))
  if (seen.length === 0 || seen.some(({ hash, createdAt }) => known.get(createdAt) !== hash)) {
    throw new Error(
      'The backup was written by a newer version of Banger or Bust, or by a modified one. Restore it with that version or a newer one.',
    )
  }
  return all.filter(({ when }) => seen.some(({ createdAt }) => createdAt === String(when)))
}
