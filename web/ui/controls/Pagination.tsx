import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { Button } from './Button.tsx'

/** Which page of a list that the server gives newest first is shown. */
export interface Pagination {
  /** The item before which the page begins; undefined for the first page. */
  cursor: string | undefined
  showNewer(): void
  showOlder(last: string): void
  showFirst(): void
  top: RefObject<HTMLDivElement | null>
}

export function usePagination(): Pagination {
  /** The items before which the pages up to this one begin; none for the first page. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const top = useRef<HTMLDivElement>(null)

  function goToPage(nextCursors: readonly string[]) {
    setCursors(nextCursors)
    top.current?.focus()
  }

  return {
    cursor: cursors.at(-1),
    showNewer: () => goToPage(cursors.slice(0, -1)),
    showOlder: (last) => goToPage([...cursors, last]),
    showFirst: () => setCursors([]),
    top,
  }
}

interface PaginatedListProps {
  pagination: Pagination
  /** The items of the page, once they are loaded. */
  items: readonly { id: string }[] | undefined
  /** Items of a full page. */
  size: number
  className?: string
  children: ReactNode
}

/** The items, which take the focus after a turn, and the buttons to turn. */
export function PaginatedList({ pagination, items, size, className = '', children }: PaginatedListProps) {
  const last = items?.at(-1)
  return (
    <div ref={pagination.top} tabIndex={-1} className={`grid gap-6 outline-none ${className}`}>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button disabled={pagination.cursor === undefined} onClick={pagination.showNewer}>
          Newer
        </Button>
        <Button disabled={items?.length !== size} onClick={() => last && pagination.showOlder(last.id)}>
          Older
        </Button>
      </div>
    </div>
  )
}
