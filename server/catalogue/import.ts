import { resolve } from 'node:path'
import type { MicrogenreEntry } from '../../catalogue/catalogue.ts'
import { UsageError } from '../inputErrors.ts'
import { openRows } from '../songFiles/openRows.ts'
import type { RowFault, RowStream } from '../songFiles/read.ts'
import { type Command, type CommandLine, formatCount } from './command.ts'
import { type ImportCounts, importSongs, UNKNOWN_MICROGENRE } from './importSongs.ts'
import { addMicrogenres, readMicrogenreTable } from './microgenreTable.ts'

interface Input {
  rows: RowStream
  microgenres: MicrogenreEntry[]
  rejectedRows: RejectedRows
}

/**
 * `import FILE`. Succeeds when the file was read to its end, however many rows were rejected. Rows before an
 * unreadable part are imported.
 */
export const importCommand: Command<ImportCounts, Input> = {
  async prepare({ file, options, folder, signal }: CommandLine) {
    const path = (name: string) => (name === '-' ? name : resolve(folder, name))
    if (options.report && path(options.report) === path(file))
      throw new UsageError('The report would overwrite the input file.')
    return {
      rows: await openRows(path(file), { ...options, signal }),
      microgenres: options.microgenres ? readMicrogenreTable(path(options.microgenres)) : [],
      rejectedRows: new RejectedRows(),
    }
  },
  async run({ db, env, options, signal, input, copyForDryRun, writeReport }, onProgress) {
    await copyForDryRun()
    await addMicrogenres(db, input.microgenres, { update: options.update ?? false })
    return importSongs(db, input.rows, {
      update: options.update,
      createMicrogenres: options['create-microgenres'],
      microgenre: options.microgenre,
      audioHosts: env.AUDIO_HOSTS,
      signal,
      async onRejected(faults) {
        input.rejectedRows.add(faults)
        await writeReport(faults.map(({ line, field, reason, value }) => [line, field, reason, value]))
      },
      onProgress,
    })
  },
  progress({ rows, rejected }, { input }) {
    const { bytes, size } = input.rows.progress()
    return {
      share: size ? bytes / size : null,
      text: `${formatCount(rows)} read, ${formatCount(rejected)} rejected`,
    }
  },
  summary(counts, { file, isDryRun, input: { rows, rejectedRows } }, time) {
    const imported = counts.added + counts.changed + counts.unchanged
    const speed = Math.round(counts.rows / Math.max(time.seconds, 0.001))
    const would = (done: string, verb: string) => (isDryRun ? `Would ${verb}` : done)
    return [
      `${counts.wasInterrupted ? 'Stopped after' : 'Read'} ${formatCount(counts.rows)} ${rows.unit}s of ${file} ` +
        `in ${time.text} (${formatCount(speed)} a second).`,
      `${would('Imported', 'import')} ${formatCount(imported)}: ${formatCount(counts.added)} new, ` +
        `${formatCount(counts.changed)} changed, ${formatCount(counts.unchanged)} unchanged.`,
      ...(counts.newMicrogenres > 0
        ? [`${would('Created', 'create')} ${formatCount(counts.newMicrogenres)} microgenres.`]
        : []),
      ...(counts.differing > 0
        ? [
            `${formatCount(counts.differing)} differ from the database, which kept its values. --update overwrites them.`,
          ]
        : []),
      ...(counts.rejected > 0
        ? [
            `${would('Rejected', 'reject')} ${formatCount(counts.rejected)}:`,
            ...rejectedRows.summarize(rows.unit),
          ]
        : []),
      ...(rows.unused().length > 0 ? [`Unused columns: ${rows.unused().join(', ')}.`] : []),
      ...(counts.wasInterrupted
        ? ['Run the same command again to continue. It recognises songs that exist already.']
        : []),
    ]
  },
  report: { of: 'rejected rows', columns: ['line', 'field', 'reason', 'value'] },
}

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

/** `youtube_id: belongs to another song`: groups faults for counting. */
function kindOf({ field, reason }: RowFault): string {
  return field === null ? reason : `${field}: ${reason}`
}
