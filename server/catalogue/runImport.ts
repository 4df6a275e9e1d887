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
import { RejectedRows } from './rejectedRows.ts'
import { startDryRun } from './startDryRun.ts'

/**
 * `import FILE`. Returns 0 when the file was read to its end, however many rows were rejected.
 * @throws BadInput for an unreadable file; rows before the error are imported.
 */
export async function runImport(commandLine: CommandLine): Promise<number> {
  const { env, files, options, folder, signal, print } = commandLine
  const [file] = files
  if (!file || files.length > 1) throw new BadInput(USAGE)
  const path = (name: string) => (name === '-' ? name : resolve(folder, name))
  const report = options.report ? path(options.report) : null
  if (report === path(file)) throw new BadInput('The report would overwrite the input file.')
  const rows = await openRows(path(file), { ...options, signal })
  const microgenres = options.microgenres ? readMicrogenres(path(options.microgenres)) : []
  const rejectedRows = await RejectedRows.open(report)
  const { db, close } = await openCatalogue(env)
  const line = startProgressLine()
  const started = Date.now()
  let counts: ImportCounts | undefined
  try {
    if (options['dry-run']) await startDryRun(db)
    await addMicrogenres(db, microgenres, { update: options.update ?? false })
    counts = await importSongs(db, rows, {
      update: options.update,
      createMicrogenres: options['create-microgenres'],
      microgenre: options.microgenre,
      signal,
      onRejected: (faults) => rejectedRows.add(faults),
      onProgress(now) {
        counts = now
        const { bytes, size } = rows.progress()
        line.show(size ? bytes / size : null, `${grouped(now.rows)} read, ${grouped(now.rejected)} rejected`)
      },
    })
    return counts.wasInterrupted ? INTERRUPTED : 0
  } finally {
    line.end()
    await rejectedRows.end()
    if (counts) {
      const milliseconds = Date.now() - started
      printSummary(counts, {
        print,
        file,
        rows,
        rejectedRows,
        milliseconds,
        isDryRun: options['dry-run'] ?? false,
      })
      if (report) print(`All rejected rows are in ${options.report}.`)
    }
    await close()
  }
}

interface Summary {
  print: CommandLine['print']
  file: string
  rows: Rows
  rejectedRows: RejectedRows
  milliseconds: number
  isDryRun: boolean
}

function printSummary(counts: ImportCounts, summary: Summary): void {
  const { print, file, rows, rejectedRows, milliseconds, isDryRun } = summary
  const imported = counts.added + counts.changed + counts.unchanged
  const speed = Math.round(counts.rows / Math.max(milliseconds / 1000, 0.001))
  print(
    `${counts.wasInterrupted ? 'Stopped after' : 'Read'} ${grouped(counts.rows)} ${rows.unit}s of ${file} ` +
      `in ${duration(milliseconds)} (${grouped(speed)} a second).`,
  )
  print(
    `${isDryRun ? 'Would import' : 'Imported'} ${grouped(imported)}: ${grouped(counts.added)} new, ` +
      `${grouped(counts.changed)} changed, ${grouped(counts.unchanged)} unchanged.`,
  )
  if (counts.newMicrogenres > 0) {
    print(`${isDryRun ? 'Would create' : 'Created'} ${grouped(counts.newMicrogenres)} microgenres.`)
  }
  if (counts.differing > 0) {
    print(
      `${grouped(counts.differing)} differ from the database, which kept its values. --update overwrites them.`,
    )
  }
  if (counts.rejected > 0) {
    print(`${isDryRun ? 'Would reject' : 'Rejected'} ${grouped(counts.rejected)}:`)
    for (const line of rejectedRows.describe(rows.unit)) print(line)
  }
  if (rows.unused().length > 0) print(`Unused columns: ${rows.unused().join(', ')}.`)
  if (counts.wasInterrupted)
    print('Run the same command again to continue. It recognises songs that exist already.')
}

const grouped = (count: number) => count.toLocaleString('en')
