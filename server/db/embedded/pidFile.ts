import { readFile } from 'node:fs/promises'
import path from 'node:path'

export interface PidFile {
  pid: number
  port: number
  /** '' until the server listens, and on Windows. */
  socketFolder: string
}

/** The content of postmaster.pid; null without one. It may be left over from a dead server. */
export async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  const text = await readFile(path.join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  // https://www.postgresql.org/docs/18/storage-file-layout.html: pid, data folder, start, port, socket folder
  const lines = text.split('\n').map((line) => line.trim())
  return { pid: Number(lines[0]) || 0, port: Number(lines[3]) || 0, socketFolder: lines[4] ?? '' }
}
