import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import {
  COVERAGE_COLUMNS,
  type Coverage,
  type CoverageFigure,
  coveragePercent,
  describeVideoChecks,
  getCoverage,
  sortByCoverageGap,
} from '../../contract/coverage.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { query } from '../api/query.ts'
import { Select } from '../ui/controls/Field.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
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
        <LoadFailure isMain onRetry={coverage.refetch}>
          The coverage did not load.
        </LoadFailure>
      ) : (
        coverage.data && (
          <>
            {/* The server before this version tells none. */}
            {coverage.data.videos && (
              <p className="mt-4 max-w-[65ch] text-ink-2">{describeVideoChecks(coverage.data.videos)}</p>
            )}
            <CoverageTable coverage={coverage.data} sortBy={sortBy} />
          </>
        )
      )}
    </DiagnosticFrame>
  )
}

interface CoverageTableProps {
  coverage: ResponseOf<typeof getCoverage>
  sortBy: CoverageFigure
}

function CoverageTable({ coverage: { all, microgenres }, sortBy }: CoverageTableProps) {
  const rows = useMemo(() => sortByCoverageGap(microgenres, sortBy), [microgenres, sortBy])
  return (
    <table aria-label="Coverage" className="w-full border-collapse tabular-nums max-wide:text-2xs">
      <thead>
        <tr>
          <th scope="col" className={`${firstCell} text-xs text-ink-2`}>
            Microgenre
          </th>
          <th scope="col" className={headCell}>
            Songs
          </th>
          {COVERAGE_COLUMNS.map(({ of, name }) => (
            <th
              key={of}
              scope="col"
              className={headCell}
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
      <th scope="row" dir="auto" className={firstCell}>
        {name}
      </th>
      <td className={figureCell}>{row.songs.toLocaleString()}</td>
      {COVERAGE_COLUMNS.map(({ of }) => {
        const percent = coveragePercent(row, of)
        return (
          <td key={of} className={figureCell}>
            {percent === null ? (
              '–'
            ) : (
              <>
                <span className="max-wide:hidden">{row[of].toLocaleString()} · </span>
                {percent}%
              </>
            )}
          </td>
        )
      })}
    </tr>
  )
}

const cell = 'border-b border-line py-2 align-bottom'

const firstCell = `${cell} text-left [font-weight:inherit] wrap-anywhere`

const figureCell = `${cell} pl-4 text-right whitespace-nowrap max-wide:pl-1.5`

/** On a phone seven headings do not fit side by side: they stand upright, and their top is at the right. */
const headCell = `${cell} pl-4 text-right text-xs [font-weight:inherit] text-ink-2 aria-[sort]:font-semibold aria-[sort]:text-ink max-wide:pl-1.5 max-wide:text-end max-wide:align-top max-wide:[writing-mode:vertical-rl]`
