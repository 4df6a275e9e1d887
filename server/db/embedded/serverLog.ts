import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises'

/**
 * Opens PostgreSQL's log for appending. PostgreSQL inherits the descriptor, so its account needs no permissions.
 */
export async function withLog<T>(file: string, use: (fd: number) => Promise<T>): Promise<T> {
  await rotateLog(file)
  const handle = await open(file, 'a', 0o600)
  try {
    return await use(handle.fd)
  } finally {
    await handle.close()
  }
}

/** Keeps the log and one old file (.1), about 5 MB each. */
export async function rotateLog(file: string): Promise<void> {
  const size = (await stat(file).catch(() => null))?.size ?? 0
  if (size <= maxBytes) return
  await copyFile(file, `${file}.1`)
  // PostgreSQL opened it for appending, so it continues at the new end.
  await truncate(file)
}

/** The last lines of the log, for the error when the server does not start. */
export async function readLogEnd(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-12).join('\n')
}

const maxBytes = 5 * 1024 * 1024
