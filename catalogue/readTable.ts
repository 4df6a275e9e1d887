import type * as z from 'zod'

/** One fault in a catalogue file. */
export interface Fault {
  file: string
  /** From 1; the header is line 1. */
  line: number
  field: string | null
  reason: string
}

/** The catalogue is invalid. The message lists every fault with file, line, field and reason. */
export class BadCatalogue extends Error {
  readonly faults: Fault[]

  constructor(faults: Fault[]) {
    super(
      `The catalogue has ${faults.length} error(s). Nothing was loaded.\n${faults.map(formatFault).join('\n')}`,
    )
    this.faults = faults
  }
}

export interface Row<T> {
  line: number
  entry: T
}

/**
 * Reads tab-separated text with a header line; columns with a default may be missing. Each row is parsed by `shape`, or becomes a fault, in the words of `error`.
 */
export function readTable<T>(
  file: string,
  text: string,
  shape: z.ZodType<T> & { shape: Record<string, z.ZodType> },
  error?: z.core.$ZodErrorMap,
): { rows: Row<T>[]; faults: Fault[] } {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const columns = Object.keys(shape.shape).filter((name) => !shape.shape[name]?.safeParse(undefined).success)
  const header = lines[0]?.replace(/\r$/, '').split('\t') ?? []
  const missing = columns.filter((column) => !header.includes(column))
  if (missing.length > 0) {
    return {
      rows: [],
      faults: [
        { file, line: 1, field: missing[0] ?? null, reason: `column is missing: ${missing.join(', ')}` },
      ],
    }
  }
  const rows: Row<T>[] = []
  const faults: Fault[] = []
  lines.slice(1).forEach((raw, index) => {
    const line = index + 2
    const cells = raw.replace(/\r$/, '').split('\t')
    if (cells.length !== header.length) {
      faults.push({
        file,
        line,
        field: null,
        reason: `has ${cells.length} cells where the header has ${header.length}`,
      })
      return
    }
    const parsed = shape.safeParse(Object.fromEntries(header.map((column, i) => [column, cells[i]])), {
      error,
    })
    if (parsed.success) rows.push({ line, entry: parsed.data })
    else {
      const issue = parsed.error.issues[0]
      faults.push({
        file,
        line,
        field: issue?.path.join('.') || null,
        reason: issue?.message ?? 'cannot be read',
      })
    }
  })
  return { rows, faults }
}

function formatFault({ file, line, field, reason }: Fault): string {
  return `  ${file}:${line}${field ? ` ${field}` : ''}: ${reason}`
}
