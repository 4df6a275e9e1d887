import { resolve } from 'node:path'
import { type CommandLine, INTERRUPTED, USAGE } from './commandLine.ts'
import { BadInput } from './fault.ts'
import { type ImportCounts, importSongs } from './importSongs.ts'
import { addMicrogenres } from './microgenreNames.ts'
import { readMicrogenres } from './microgenreTable.ts'
import { openCatalogue } from './openCatalogue.ts'
import { duration, startProgressLine } from './progressLine.ts'
import { openRows } from './reading/openRows.ts'
import type { Rows } from './reading/read.ts'
import { Refusals } from './refusals.ts'
import { rehearse } from './rehearse.ts'

/**
 * `import FILE`. Returns 0 when the file was read to its end, however many rows were refused.
 * @throws BadInput for an unreadable file; rows before the error are imported.
 */
export async function runImport(given: CommandLine): Promise<number> {
  const { env, files, options, folder, signal, print } = given
  const [file] = files
  if (!file || files.length > 1) throw new BadInput(USAGE)
  const path = (name: string) => (name === '-' ? name : resolve(folder, name))
  const report = options.report ? path(options.report) : null
  if (report === path(file)) throw new BadInput('The report would take the place of the file.')
  const rows = await openRows(path(file), { ...options, signal })
  const microgenres = options.microgenres ? readMicrogenres(path(options.microgenres)) : []
  const refusals = await Refusals.open(report)
  const { db, close } = await openCatalogue(env)
  const line = startProgressLine()
  const started = Date.now()
  let counts: ImportCounts | undefined
  try {
    if (options['dry-run']) await rehearse(db)
    await addMicrogenres(db, microgenres, { update: options.update ?? false })
    counts = await importSongs(db, rows, {
      update: options.update,
      createMicrogenres: options['create-microgenres'],
      microgenre: options.microgenre,
      signal,
      onRefused: (faults) => refusals.add(faults),
      onProgress(now) {
        counts = now
        const { bytes, size } = rows.progress()
        line.show(size ? bytes / size : null, `${grouped(now.rows)} read, ${grouped(now.refused)} refused`)
      },
    })
    return counts.wasInterrupted ? INTERRUPTED : 0
  } finally {
    line.end()
    await refusals.end()
    if (counts) {
      const milliseconds = Date.now() - started
      tell(counts, { print, file, rows, refusals, milliseconds, isRehearsal: options['dry-run'] ?? false })
      if (report) print(`Every one that was refused stands in ${options.report}.`)
    }
    await close()
  }
}

interface Told {
  print: CommandLine['print']
  file: string
  rows: Rows
  refusals: Refusals
  milliseconds: number
  isRehearsal: boolean
}

function tell(counts: ImportCounts, told: Told): void {
  const { print, file, rows, refusals, milliseconds, isRehearsal } = told
  const taken = counts.added + counts.changed + counts.unchanged
  const speed = Math.round(counts.rows / Math.max(milliseconds / 1000, 0.001))
  print(
    `${counts.wasInterrupted ? 'Stopped after' : 'Read'} ${grouped(counts.rows)} ${rows.unit}s of ${file} ` +
      `in ${duration(milliseconds)} (${grouped(speed)} a second).`,
  )
  print(
    `${isRehearsal ? 'Would take' : 'Took'} ${grouped(taken)}: ${grouped(counts.added)} new, ` +
      `${grouped(counts.changed)} changed, ${grouped(counts.unchanged)} as they were.`,
  )
  if (counts.newMicrogenres > 0) {
    print(`${isRehearsal ? 'Would make' : 'Made'} ${grouped(counts.newMicrogenres)} microgenres.`)
  }
  if (counts.differing > 0) {
    print(
      `Of ${grouped(counts.differing)} the file says otherwise than the database; --update takes its word.`,
    )
  }
  if (counts.refused > 0) {
    print(`${isRehearsal ? 'Would refuse' : 'Refused'} ${grouped(counts.refused)}:`)
    for (const line of refusals.describe(rows.unit)) print(line)
  }
  if (rows.unused().length > 0) print(`Columns that nothing was taken from: ${rows.unused().join(', ')}.`)
  if (counts.wasInterrupted) print('The same command goes on: what is there already is found again.')
}

const grouped = (count: number) => count.toLocaleString('en')
