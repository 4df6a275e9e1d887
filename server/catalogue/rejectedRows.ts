import type { RowFault } from '../songFiles/read.ts'
import { formatCount } from './command.ts'

/** Printed examples per kind, and printed unknown names. The report has all. */
const EXAMPLES_PER_KIND = 3
const MAX_PRINTED_NAMES = 10

/** Names counted separately, because a file may have any number. */
const MAX_COUNTED_NAMES = 10_000

/** Collects rejected rows in bounded memory: counts by kind, and a few examples. */
export class RejectedRows {
  private readonly kinds = new Map<string, { count: number; examples: RowFault[] }>()
  private readonly unknownMicrogenres = new Map<string, number>()

  add(faults: RowFault[]): void {
    for (const fault of faults) {
      const kind = this.kinds.get(kindOf(fault)) ?? { count: 0, examples: [] }
      this.kinds.set(kindOf(fault), kind)
      kind.count += 1
      if (
        kind.examples.length < EXAMPLES_PER_KIND &&
        !kind.examples.some(({ value }) => value !== null && value === fault.value)
      )
        kind.examples.push(fault)
      if (fault.field === 'microgenre' && fault.reason === UNKNOWN_MICROGENRE)
        this.countName(fault.value ?? '')
    }
  }

  /** A summary for the operator; empty when nothing was rejected. */
  summarize(unit: string): string[] {
    const kinds = [...this.kinds].sort(([, a], [, b]) => b.count - a.count)
    const names = [...this.unknownMicrogenres].sort(([, a], [, b]) => b - a)
    const more =
      names.length > MAX_PRINTED_NAMES ? ` and ${formatCount(names.length - MAX_PRINTED_NAMES)} more` : ''
    return [
      ...kinds.map(([kind, { count, examples }]) => {
        const shown = examples.map(
          (fault) => `${unit} ${fault.line}${fault.value ? ` (${fault.value})` : ''}`,
        )
        return `${formatCount(count).padStart(10)}  ${kind}: ${shown.join(', ')}${count > examples.length ? ' …' : ''}`
      }),
      ...(names.length > 0
        ? [
            `Unknown microgenres: ${names
              .slice(0, MAX_PRINTED_NAMES)
              .map(([name, count]) => `${name} ${formatCount(count)}`)
              .join(', ')}${more}.`,
          ]
        : []),
    ]
  }

  private countName(name: string): void {
    const count = this.unknownMicrogenres.get(name)
    if (count === undefined && this.unknownMicrogenres.size >= MAX_COUNTED_NAMES) return
    this.unknownMicrogenres.set(name, (count ?? 0) + 1)
  }
}

export const UNKNOWN_MICROGENRE = 'is not in the catalogue'

/** `youtube_id: belongs to another song`: groups faults for counting. */
function kindOf({ field, reason }: RowFault): string {
  return field === null ? reason : `${field}: ${reason}`
}
