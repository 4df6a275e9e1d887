import { expect, test } from 'vitest'
import type { RatedSong } from '../../contract/library.ts'
import { makeSong } from '../../tests/makeSong.ts'
import { countGenres } from './libraryView.ts'

test('microgenres with their counts, most first, ties by name (library-2); the counts add up (library-2)', () => {
  const bangers = ['dub', 'zouk', 'dub', 'acid', 'zouk', 'dub', 'klezmer'].map(banger)
  const genres = countGenres(bangers)
  expect(genres.map(({ name, count }) => `${name} (${count})`)).toEqual([
    'dub (3)',
    'zouk (2)',
    'acid (1)',
    'klezmer (1)',
  ])
  expect(genres.reduce((sum, { count }) => sum + count, 0)).toBe(bangers.length)
})

function banger(name: string, i: number): RatedSong {
  const song = makeSong(String(i + 1), { microgenre: name, microgenreId: name })
  return { id: String(i + 1), rating: 'banger', createdAt: '2026-01-01T00:00:00Z', song }
}
