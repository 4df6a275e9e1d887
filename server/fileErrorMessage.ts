import { getSystemErrorMap } from 'node:util'

/** What the system says of a file, in words and without names of our drafts; null for an error of something else. */
export function fileErrorMessage(error: unknown): string | null {
  const { errno, syscall, path } = error as NodeJS.ErrnoException
  const [, reason] = getSystemErrorMap().get(errno ?? 0) ?? []
  if (!reason || !(path || FILE_CALLS.test(syscall ?? ''))) return null
  return `${path?.replace(/(\.\d+)?\.part$/, '') ?? 'The file'} cannot be used: ${reason}.`
}

/** Those of an open file, whose errors name no path. */
const FILE_CALLS = /^(read|write|fsync|ftruncate|close)$/
