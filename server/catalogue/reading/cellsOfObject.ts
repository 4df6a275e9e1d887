import type { Cells, Column, FindColumn } from './columns.ts'

/** Unused names that are kept: every object may have others. */
const MOST_UNUSED = 50

/** The cells of a JSON object, or why it has none. Numbers and booleans become text. */
export function cellsOfObject(
  value: unknown,
  find: FindColumn,
  unused: Set<string>,
): { cells: Cells } | { fault: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'is not an object' }
  const cells: Cells = {}
  const ranks: Partial<Record<Column, number>> = {}
  for (const [name, content] of Object.entries(value)) {
    const named = find(name)
    if (!named) {
      if (unused.size < MOST_UNUSED) unused.add(name)
      continue
    }
    const text = textOf(content)
    if (text === undefined) return { fault: `must have text or a number in '${name.slice(0, 40)}'` }
    if (text === '' || (ranks[named.column] ?? Number.POSITIVE_INFINITY) <= named.rank) continue
    ranks[named.column] = named.rank
    cells[named.column] = text
  }
  return { cells }
}

function textOf(content: unknown): string | undefined {
  if (content === null) return ''
  if (typeof content === 'string') return content
  if (typeof content === 'number' || typeof content === 'boolean') return String(content)
  // Many services list several artists.
  if (Array.isArray(content) && content.every((part) => typeof part === 'string')) return content.join(', ')
  return undefined
}
