import type { RatedSong } from '../../contract/library.ts'

interface Library {
  /** Newest first. */
  bangers: readonly RatedSong[]
  shown: readonly RatedSong[]
  selectedIds: ReadonlySet<string> | null
}

/** What a mix can be made of: what is selected or shown, the best ten, or a month (sharing-22). */
export function mixSources({
  bangers,
  shown,
  selectedIds,
}: Library): { name: string; songs: readonly RatedSong[] }[] {
  const sources = [
    { name: 'Selected songs', songs: bangers.filter(({ id }) => selectedIds?.has(id)) },
    { name: 'What the library shows', songs: shown },
    { name: 'My best ten', songs: bestTen(bangers) },
    ...groupBy(bangers, ({ createdAt }) => formatMonth(new Date(createdAt))),
  ]
  return sources.filter(({ songs }) => songs.length > 0)
}

/** The newest banger of each of the ten microgenres with most of them; if there are fewer, the newest besides. */
function bestTen(bangers: readonly RatedSong[]): RatedSong[] {
  const genres = groupBy(bangers, ({ song }) => song.microgenre).sort(
    (a, b) => b.songs.length - a.songs.length || a.name.localeCompare(b.name),
  )
  const newest = genres.slice(0, 10).flatMap(({ songs }) => songs[0] ?? [])
  return [...new Set([...newest, ...bangers])].slice(0, 10)
}

const { format: formatMonth } = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })

function groupBy(bangers: readonly RatedSong[], nameOf: (banger: RatedSong) => string) {
  const groups = new Map<string, RatedSong[]>()
  for (const banger of bangers) {
    const name = nameOf(banger)
    const songs = groups.get(name)
    if (songs) songs.push(banger)
    else groups.set(name, [banger])
  }
  return [...groups].map(([name, songs]) => ({ name, songs }))
}
