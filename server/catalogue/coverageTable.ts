import { COVERAGE_COLUMNS, type Coverage, coveragePercent, worstFirst } from '../../contract/coverage.ts'
import type { Queryable } from '../db/connection.ts'
import { readCoverage } from '../diagnostics/coverage.ts'

/** The figures of the coverage page as lines: the microgenres with the fewest videos first, all songs last. */
export async function coverageTable(db: Queryable): Promise<string[]> {
  const { all, microgenres } = await readCoverage(db)
  const rows = [
    ['Microgenre', 'Songs', ...COVERAGE_COLUMNS.map(({ name }) => name)],
    ...worstFirst(microgenres, 'withVideo').map((row) => cellsOf(row.microgenre, row)),
    cellsOf('All', all),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}

function cellsOf(name: string, row: Coverage): string[] {
  const figures = COVERAGE_COLUMNS.map(({ of }) => {
    const percent = coveragePercent(row, of)
    return `${row[of].toLocaleString('en')} ${percent === null ? '' : `${percent}%`.padStart(4)}`.trimEnd()
  })
  return [name, row.songs.toLocaleString('en'), ...figures]
}
