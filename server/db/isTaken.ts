/**
 * Whether a statement failed because another row has the same value and this unique index forbids that. The copies of a
 * table on a cluster have indexes with a number after the name.
 */
export function isTaken(error: unknown, index: string): boolean {
  const { code, constraint = '' } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint.replace(/_\d+$/, '') === index
}
