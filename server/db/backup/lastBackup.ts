import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

export interface LastBackup {
  takenAt: Date
  file: string
  bytes: number
}

const placeOf = (dataDir: string) => path.join(dataDir, 'last-backup.json')

/** Remembers a backup in DATA_DIR, so that `npm run doctor` knows its age. */
export async function rememberBackup(dataDir: string, backup: LastBackup): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeFile(placeOf(dataDir), `${JSON.stringify(backup)}\n`, { mode: 0o600 })
}

/** Null when none was taken with this DATA_DIR. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  const text = await readFile(placeOf(dataDir), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    const { takenAt, file, bytes } = JSON.parse(text) as Record<string, unknown>
    const date = new Date(String(takenAt))
    return Number.isNaN(date.getTime()) ? null : { takenAt: date, file: String(file), bytes: Number(bytes) }
  } catch {
    return null
  }
}
