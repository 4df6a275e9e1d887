/** Errors of disks without hard links, sockets or a flush of folders, such as exFAT and network shares. */
const UNSUPPORTED_CODES = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'])

/** Whether the disk cannot do this, as an error of the system says. */
export const isUnsupportedByDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && UNSUPPORTED_CODES.has(String(error.code))
