import { endAtVersion01, type Migration, readMigrations } from '../readMigrations.ts'
import type { BackupHeader } from './format.ts'

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
