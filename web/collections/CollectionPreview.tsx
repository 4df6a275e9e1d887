import { isolateName } from '../../contract/isolateName.ts'
import { ShareLinkOptions } from '../sharing/ShareOptions.tsx'
import { Cover } from '../ui/art/Cover.tsx'

export interface CollectionGenre {
  id: string
  name: string
  /** `#rrggbb` */
  color: string
}

/** Covers and names of the first microgenres of a collection, and how many there are besides. */
export function CollectionPreview({ title, genres }: { title: string; genres: readonly CollectionGenre[] }) {
  return (
    <div className="flex items-center gap-4">
      {genres.length > 0 && <CollectionCovers genres={genres} className="size-12" />}
      <div className="grid min-w-0">
        <h3 dir="auto" className="wrap-anywhere">
          {title}
        </h3>
        <p className="text-xs text-ink-2">{formatGenreNames(genres)}</p>
      </div>
    </div>
  )
}

/** How many microgenres are shown by cover and name. */
const MAX_PREVIEW_GENRES = 3

export function CollectionCovers({
  genres,
  className,
}: {
  genres: readonly CollectionGenre[]
  className: string
}) {
  return (
    <span aria-hidden="true" className="flex flex-none gap-0.5">
      {genres.slice(0, MAX_PREVIEW_GENRES).map(({ id, name, color }) => (
        <span key={id} className={`block ${className}`}>
          <Cover title={name} color={color} />
        </span>
      ))}
    </span>
  )
}

export function formatGenreNames(genres: readonly CollectionGenre[]): string {
  if (genres.length === 0) return 'No microgenres yet'
  const names = genres
    .slice(0, MAX_PREVIEW_GENRES)
    .map(({ name }) => isolateName(name))
    .join(', ')
  return genres.length > MAX_PREVIEW_GENRES
    ? `${names} and ${genres.length - MAX_PREVIEW_GENRES} more`
    : names
}

/** Ways to share a collection that has a link. */
export function CollectionShareOptions({ name, shareToken }: { name: string; shareToken: string }) {
  return (
    <ShareLinkOptions
      kind="collection"
      shareToken={shareToken}
      text={`‘${name}’, a collection on Banger or Bust.`}
    />
  )
}
