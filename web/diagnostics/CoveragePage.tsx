import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import {
  COVERAGE_COLUMNS,
  type Coverage,
  type CoverageFigure,
  coveragePercent,
  getCoverage,
  sortByCoverageGap,
} from '../../contract/coverage.ts'
import type { Response } from '../../contract/endpoint.ts'
import { query } from '../api/query.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Select } from '../ui/Select.tsx'
import { DiagnosticFrame } from './DiagnosticFrame.tsx'

/** What the songs of each microgenre lack (diagnostics-25). */
export function CoveragePage() {
  const selectId = useId()
  const [sortBy, setSortBy] = useState<CoverageFigure>('withVideo')
  const coverage = useQuery({ ...query(getCoverage), refetchOnMount: 'always' })
  return (
    <DiagnosticFrame
      title="Coverage"
      description="What is known about the songs of each microgenre, without retired ones. The command npm run catalogue -- check --coverage prints the same."
      actions={
        <div className="flex items-center gap-3">
          <label htmlFor={selectId} className="shrink-0 text-ink-2">
            Worst first by
          </label>
          <Select
            id={selectId}
            value={sortBy}
            options={COVERAGE_COLUMNS.map(({ of, name }) => ({ value: of, name }))}
            onChange={setSortBy}
            className="min-h-(--size-touch) py-2"
          />
        </div>
      }
    >
      {coverage.isError ? (
        <div className="pt-8">
          <LoadFailure onRetry={coverage.refetch}>The coverage did not load.</LoadFailure>
        </div>
      ) : (
        coverage.data && <CoverageTable coverage={coverage.data} sortBy={sortBy} />
      )}
    </DiagnosticFrame>
  )
}

interface CoverageTableProps {
  coverage: Response<typeof getCoverage>
  sortBy: CoverageFigure
}

function CoverageTable({ coverage: { all, microgenres }, sortBy }: CoverageTableProps) {
  const rows = useMemo(() => sortByCoverageGap(microgenres, sortBy), [microgenres, sortBy])
  return (
    <table aria-label="Coverage" className="coverage-table">
      <thead>
        <tr>
          <th scope="col">Microgenre</th>
          <th scope="col">Songs</th>
          {COVERAGE_COLUMNS.map(({ of, name }) => (
            <th
              key={of}
              scope="col"
              aria-sort={of !== sortBy ? undefined : of === 'heardByNobody' ? 'descending' : 'ascending'}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <CoverageRow name="All" row={all} className="font-semibold" />
        {rows.map((row) => (
          <CoverageRow key={row.microgenre} name={row.microgenre} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function CoverageRow({ name, row, className }: { name: string; row: Coverage; className?: string }) {
  return (
    <tr className={className}>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td>{row.songs.toLocaleString()}</td>
      {COVERAGE_COLUMNS.map(({ of }) => {
        const percent = coveragePercent(row, of)
        return (
          <td key={of}>
            <span>{row[of].toLocaleString()} · </span>
            {percent === null ? '–' : `${percent}%`}
          </td>
        )
      })}
    </tr>
  )
}
