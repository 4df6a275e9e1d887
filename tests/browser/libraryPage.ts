import type { Page } from '@playwright/test'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { reportProgress } from '../../contract/playback.ts'
import { makeSong } from '../makeSong.ts'
import { signIn, startSession } from './fixtures.ts'
import { rateSongs } from './listeners.ts'
import { mockResponse } from './mockResponses.ts'
import { art, expect, openDiscover, type TestMicrogenre, type TestSong } from './testSongs.ts'

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

/* The queue of My Library, for tests of it. */

export const nowPlayingBar = (page: Page) => page.getByRole('region', { name: 'Now playing' })
export const barButton = (page: Page, name: string) =>
  nowPlayingBar(page).getByRole('button', { name, exact: true })
export const playAll = (page: Page) => page.getByRole('button', { name: 'Play all' })
export const shuffle = (page: Page) => page.getByRole('button', { name: 'Shuffle' })
export const upNext = (page: Page) => page.getByRole('dialog', { name: 'Up next' })
export const rows = (page: Page) => upNext(page).getByRole('listitem')

/** Checks that the queue plays this song, at this position. */
export async function expectPlaying(page: Page, name: string, place: string): Promise<void> {
  await expect(nowPlayingBar(page)).toContainText(name)
  await expect(nowPlayingBar(page)).toContainText(place)
  await expect(barButton(page, 'Pause')).toBeVisible()
}

/** 'Banger 1', 'Banger 2' … */
export const withBangerTitles = (songs: TestSong[]): TestSong[] =>
  songs.map((song, n) => ({ ...song, title: `Banger ${n + 1}` }))

/** The library with these songs, in this order. */
export function bangersOf({ songs }: Pick<TestMicrogenre, 'songs'>): RatedSong[] {
  return songs.map(({ id, title, artist, youtubeId }, n) => ({
    id,
    rating: 'banger',
    createdAt: new Date(Date.UTC(2026, 10, 2) - n * 1000).toISOString(),
    song: makeSong(id, { title, artist, youtubeId }),
  }))
}

/** My Library with these songs, while Discover plays others. */
export async function openBangers(
  page: Page,
  stock: (songs: TestSong[]) => Promise<TestMicrogenre>,
  songs: TestSong[],
): Promise<TestMicrogenre> {
  const bangers = await stock(songs)
  const discovered = await stock(['One', 'Two', 'Three'].map((title) => ({ title: `Discovered ${title}` })))
  await mockResponse(page, listRatings, bangersOf(bangers))
  await openDiscover(page, { path: `/?microgenre=${discovered.id}` })
  await page.keyboard.press('Shift')
  await expect(art(page, 'Pause')).toBeVisible()
  await openLibrary(page)
  await expect(playAll(page)).toBeEnabled()
  return bangers
}

/** Records the titles in the bar from now on. */
export async function recordTitles(page: Page): Promise<() => Promise<string[]>> {
  const heard = await nowPlayingBar(page).evaluateHandle((region) => {
    const titles: string[] = []
    const look = () => {
      const title = region.querySelector('p')?.textContent
      const plays = region.querySelector('[aria-label=Pause]')
      if (title && plays && titles.at(-1) !== title) titles.push(title)
    }
    new MutationObserver(look).observe(region, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
    return titles
  })
  return () => heard.jsonValue()
}

/** Tells the page that it is hidden, as when another tab is in front. */
export const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
