import type { RatedSong } from '../../contract/library.ts'

export interface LibraryGenre {
  id: string
  name: string
  /** `#rrggbb` */
  color: string
  count: number
}

/** The microgenres of these songs with their counts, most first, then by name (library-2). */
export function countGenres(bangers: readonly RatedSong[]): LibraryGenre[] {
  const genres = new Map<string, LibraryGenre>()
  for (const { song } of bangers) {
    const { microgenreId: id, microgenre: name, color } = song
    const genre = genres.get(id)
    if (genre) genre.count += 1
    else genres.set(id, { id, name, color, count: 1 })
  }
  return [...genres.values()].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
}
