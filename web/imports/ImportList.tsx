import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { listImports } from '../../contract/imports.ts'
import { query } from '../api/query.ts'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { formatStatus } from './importTexts.ts'

/** Former imports, newest first, each with its state. */
export function ImportList() {
  const { data, isError, refetch } = useQuery({ ...query(listImports), staleTime: 0 })
  if (!data)
    return isError ? (
      <LoadFailure onRetry={refetch}>Your imports did not load.</LoadFailure>
    ) : (
      <Loading className="">Loading your imports...</Loading>
    )
  if (data.length === 0) return <p className="text-ink-2">No imports yet.</p>
  return (
    <ul aria-label="Your imports" className="grid grid-cols-[minmax(0,1fr)] border-t border-line">
      {data.map((imported) => (
        <li key={imported.id} className="border-b border-line">
          <Link
            href={`/imports/${imported.id}`}
            className="grid min-h-(--size-touch) content-center rounded-control py-2 hover:bg-raised"
          >
            <b className="line-clamp-2 font-semibold wrap-anywhere">{imported.fileName ?? 'A file'}</b>
            <span className="text-xs text-ink-2">
              {formatStatus(imported)} ·{' '}
              <time dateTime={imported.createdAt}>{formatDate(imported.createdAt)}</time>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
