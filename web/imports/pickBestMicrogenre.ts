import type { ImportSong } from '../../contract/imports.ts'

/** The microgenre with the most songs that were loved or played, of those with songs left to rate; null without one. */
export function pickBestMicrogenre(
  songs: readonly Pick<ImportSong, 'verdict' | 'song'>[],
  microgenres: readonly { id: string; unratedCount: number }[],
): string | null {
  const counts = new Map(microgenres.filter(({ unratedCount }) => unratedCount > 0).map(({ id }) => [id, 0]))
  for (const { song, verdict } of songs) {
    const count = song && verdict !== 'bust' ? counts.get(song.microgenreId) : undefined
    if (song && count !== undefined) counts.set(song.microgenreId, count + 1)
  }
  const [best] = [...counts].sort(([, one], [, other]) => other - one)
  return best && best[1] > 0 ? best[0] : null
}
