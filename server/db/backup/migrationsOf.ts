import { areOf01, type Migration, readMigrations } from '../readMigrations.ts'
import type { BackupHeader } from './format.ts'

/**
 * The migrations of a backup; the baseline for one of the last 0.1.
 * @throws Error when it has one that this version does not have.
 */
export function migrationsOf({ migrations: seen }: BackupHeader): Migration[] {
  const all = readMigrations()
  if (areOf01(seen)) return all.slice(0, 1)
  const known = new Map(all.map(({ when, hash }) => [String(when), hash]))
  if (seen.length === 0 || seen.some(({ hash, createdAt }) => known.get(createdAt) !== hash)) {
    throw new Error(
      'The backup was written by a newer version of Banger or Bust, by one before the last 0.1, or by a modified one. Restore it with that version or a newer one. For one before the last 0.1, restore it with the last 0.1 (commit 9b040d6), and back up again.',
    )
  }
  return all.filter(({ when }) => seen.some(({ createdAt }) => createdAt === String(when)))
}
