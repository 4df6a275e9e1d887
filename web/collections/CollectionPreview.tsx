import { COLLECTION_TOP_GENRES } from '../../contract/collections.ts'
import { Cover } from '../ui/Cover.tsx'

export interface CollectionGenre {
  id: string
  name: string
  color: string
}

/** Covers and names of a collection's microgenres. */
export function CollectionPreview({ title, genres }: { title: string; genres: readonly CollectionGenre[] }) {
  const top = genres.slice(0, COLLECTION_TOP_GENRES)
  return (
    <div className="flex items-center gap-4">
      <div aria-hidden="true" className="flex flex-none gap-0.5">
        {top.map(({ id, name, color }) => (
          <span key={id} className="block size-12">
            <Cover title={name} color={color} />
          </span>
        ))}
      </div>
      <div className="grid min-w-0">
        <h3 dir="auto" className="line-clamp-2 wrap-anywhere">
          {title}
        </h3>
        <p className="text-xs text-ink-2">{top.map(({ name }) => name).join(', ')}</p>
      </div>
    </div>
  )
}
