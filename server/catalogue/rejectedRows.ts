import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { BadInput, type Fault, kindOf } from './fault.ts'

/** Examples per kind, and unknown names, that are printed. The report has all. */
const EXAMPLES = 3
const NAMES = 10

/** Names that are counted separately; a file may contain any number. */
const MOST_NAMES = 10_000

/** Collects rejected rows in bounded memory: counts by kind, a few examples, and all of them in a report file. */
export class RejectedRows {
  private readonly kinds = new Map<string, { count: number; examples: Fault[] }>()
  private readonly unknownMicrogenres = new Map<string, number>()
  private readonly report: WriteStream | null

  private constructor(report: WriteStream | null) {
    this.report = report
  }

  /** @param file the tab-separated report; null for none. ⏎ @throws BadInput when it cannot be written. */
  static async open(file: string | null): Promise<RejectedRows> {
    if (file === null) return new RejectedRows(null)
    const report = createWriteStream(file)
    await once(report, 'open').catch((error: unknown) => {
      throw new BadInput(
        `The report cannot be written: ${error instanceof Error ? error.message : 'unknown'}`,
      )
    })
    report.write('line\tfield\treason\tvalue\n')
    return new RejectedRows(report)
  }

  async add(faults: Fault[]): Promise<void> {
    for (const fault of faults) {
      const kind = this.kinds.get(kindOf(fault)) ?? { count: 0, examples: [] }
      this.kinds.set(kindOf(fault), kind)
      kind.count += 1
      if (
        kind.examples.length < EXAMPLES &&
        !kind.examples.some(({ value }) => value !== null && value === fault.value)
      )
        kind.examples.push(fault)
      if (fault.field === 'microgenre' && fault.reason === UNKNOWN_MICROGENRE)
        this.countName(fault.value ?? '')
    }
    if (!this.report || faults.length === 0) return
    const lines = faults.map(({ line, field, reason, value }) =>
      [line, field, reason, value].map(cell).join('\t'),
    )
    if (!this.report.write(`${lines.join('\n')}\n`)) await once(this.report, 'drain')
  }

  /** Resolves when the report is flushed to disk. */
  async end(): Promise<void> {
    if (!this.report) return
    this.report.end()
    await once(this.report, 'close')
  }

  /** A summary for the operator; empty when nothing was rejected. */
  describe(unit: string): string[] {
    const kinds = [...this.kinds].sort(([, a], [, b]) => b.count - a.count)
    const names = [...this.unknownMicrogenres].sort(([, a], [, b]) => b - a)
    const more = names.length > NAMES ? ` and ${grouped(names.length - NAMES)} more` : ''
    return [
      ...kinds.map(([kind, { count, examples }]) => {
        const shown = examples.map(
          (fault) => `${unit} ${fault.line}${fault.value ? ` (${fault.value})` : ''}`,
        )
        return `${grouped(count).padStart(10)}  ${kind}: ${shown.join(', ')}${count > examples.length ? ' …' : ''}`
      }),
      ...(names.length > 0
        ? [
            `Unknown microgenres: ${names
              .slice(0, NAMES)
              .map(([name, count]) => `${name} ${grouped(count)}`)
              .join(', ')}${more}.`,
          ]
        : []),
    ]
  }

  private countName(name: string): void {
    const count = this.unknownMicrogenres.get(name)
    if (count === undefined && this.unknownMicrogenres.size >= MOST_NAMES) return
    this.unknownMicrogenres.set(name, (count ?? 0) + 1)
  }
}

/** Rows with an unknown microgenre; these are also counted by name. */
export const UNKNOWN_MICROGENRE = 'is not in the catalogue'

const grouped = (count: number) => count.toLocaleString('en')

const cell = (value: string | number | null) => String(value ?? '').replace(/\s+/g, ' ')
