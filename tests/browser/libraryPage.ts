import { expect, type Page } from '@playwright/test'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { reportProgress } from '../../contract/playback.ts'
import { makeSong } from '../makeSong.ts'
import { signIn, startSession } from './fixtures.ts'
import { rateSongs } from './listeners.ts'
import { mockResponse } from './mockResponses.ts'

/* My Library, for tests of it. */

export const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
export const tiles = (page: Page) => page.getByRole('list', { name: 'Your bangers' }).getByRole('listitem')
export const tile = (page: Page, { song }: RatedSong) =>
  page.getByRole('button', { name: `${song.title} by ${song.artist}, ${song.microgenre}`, exact: true })
export const filter = (page: Page) => page.getByRole('region', { name: 'Filter by microgenre' })

export async function openLibrary(page: Page) {
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  await page.keyboard.press('2')
  await expect(heading(page)).toHaveText('My Library')
}

/** The library of a listener with these ratings. */
export async function openLibraryOf(page: Page, ratings: RatedSong[]) {
  await mockResponse(page, listRatings, ratings)
  await signIn(page)
  await openLibrary(page)
}

/** Signs in as a listener with ratings, and opens the library. Returns the bangers, newest first. */
export async function openRatedLibrary(
  page: Page,
  ratedSong: { banger: number; bust?: number },
): Promise<RatedSong[]> {
  const email = await startSession(page.context())
  await rateSongs(page.request, ratedSong)
  const ratings = (await (await page.request.get(listRatings.path)).json()) as RatedSong[]
  // Otherwise the toast of an achievement would come first.
  await mockResponse(page, reportProgress, { achievement: null })
  await signIn(page, { email })
  await openLibrary(page)
  return ratings.filter(({ rating }) => rating === 'banger')
}

export interface Genre {
  name: string
  id: string
}

export function ratedSong(n: number, genre: Genre = { name: 'dub', id: '1' }): RatedSong {
  return {
    id: String(n),
    rating: 'banger',
    createdAt: new Date(Date.UTC(2026, 10, 2) - n * 1000).toISOString(),
    song: makeSong(String(n), { microgenre: genre.name, microgenreId: genre.id }),
  }
}
