import { DatabaseError } from 'pg'

/**
 * Whether PostgreSQL refused a value (data exception or integrity constraint), so that the same statement without its row
 * succeeds.
 */
export const isCausedByRow = (error: unknown): boolean =>
  error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')

/**
 * Whether a statement violated this unique index. On a worker of a cluster the index has a number at the end of its name,
 * and only the message of the error contains it.
 */
export function isUniqueViolation(error: unknown, index: string): boolean {
  const { code, constraint, message = '' } = error as { code?: string; constraint?: string; message?: string }
  const name = constraint ?? /constraint "([^"]+)"/.exec(message)?.[1] ?? ''
  return code === '23505' && name.replace(/_\d+$/, '') === index
}
