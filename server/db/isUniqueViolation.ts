/**
 * Whether a statement failed because another row has the same value and this unique index forbids that. Of an error on a
 * worker of a cluster only the message has the index, whose name there ends with a number.
 */
export function isUniqueViolation(error: unknown, index: string): boolean {
  const { code, constraint, message = '' } = error as { code?: string; constraint?: string; message?: string }
  const name = constraint ?? /constraint "([^"]+)"/.exec(message)?.[1] ?? ''
  return code === '23505' && name.replace(/_\d+$/, '') === index
}
