import type { Page } from '@playwright/test'
import { listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { test as base, expect, signIn } from './fixtures.ts'

/** A song for a test. Defaults: a unique title, no art, no video. */
export interface TestSong {
  title?: string
  artist?: string
  albumArt?: string | null
  youtubeId?: string | null
}

export interface TestMicrogenre {
  /** The microgenre. */
  id: string
  name: string
  songs: { id: string; title: string; artist: string; youtubeId: string | null }[]
}

/** Adds a microgenre with these songs and hides all others from the page. It is retired after the test. */
export const test = base.extend<{ stock: (songs: TestSong[]) => Promise<TestMicrogenre> }>({
  stock: async ({ page, app: { db } }, use) => {
    const microgenres: TestMicrogenre[] = []
    await page.route(listMicrogenres.path, async (route) => {
      const response = await route.fetch()
      const all = (await response.json()) as { id: string }[]
      await route.fulfill({
        response,
        json: all.filter(({ id }) => microgenres.some((stock) => stock.id === id)),
      })
    })
    await use(async (songs) => {
      const name = `stock ${process.pid} ${++count}`
      const [microgenre] = await db<{ id: string }[]>`
        insert into microgenres
          (key, name, family, description, color, energy, vocals, familiarity, mood, song_count, live_song_count)
        values (${name.replaceAll(' ', '-')}, ${name}, 'test', 'Songs of a test.', '#4ecdc4', '{}', '{}', '{}', '{}',
          ${songs.length}, ${songs.length})
        returning id::text`
      const id = microgenre?.id ?? ''
      const stock: TestMicrogenre = { id, name, songs: [] }
      for (const [seq, { title = `Song ${seq + 1}`, artist = 'The Stand-ins', ...song }] of songs.entries()) {
        const youtubeId = song.youtubeId ?? null
        const [row] = await db<{ id: string }[]>`
          insert into songs (key, source, microgenre_id, seq, title, artist, album_art, youtube_id)
          values (${`${name}/${seq}`}, 'import', ${id}, ${seq}, ${title}, ${artist},
            ${song.albumArt ?? null}, ${youtubeId})
          returning id::text`
        stock.songs.push({ id: row?.id ?? '', title, artist, youtubeId })
      }
      microgenres.push(stock)
      return stock
    })
    // Requests in flight are not awaited, and without its routes the page must not make any more.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
    for (const { id } of microgenres) {
      await db`update songs set retired_at = now(), youtube_id = null where microgenre_id = ${id}`
      await db`update microgenres set live_song_count = 0 where id = ${id}`
    }
  },
})

export { expect }

let count = 0
let videos = 0

/** A video id that no other song has. */
export const newVideoId = () => `v${process.pid.toString(36)}-${++videos}`.padEnd(11, '_')

/** That many songs, each with a video. */
export const videoSongs = (n: number): TestSong[] =>
  Array.from({ length: n }, () => ({ youtubeId: newVideoId() }))

/** That many songs without a video, which play as previews. */
export const previewSongs = (n: number): TestSong[] => Array.from({ length: n }, () => ({}))

/** The script that every video needs. */
export const VIDEO_API = /\/iframe_api$/

export const pad = (page: Page, name: 'BANGER' | 'BUST') => page.getByRole('button', { name, exact: true })

/** The title of the song on Discover. */
export const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })

/** The microgenre of the song on Discover, which opens the picker. */
export const genre = (page: Page) => page.getByRole('button', { name: /^Currently listening to / })

export const picker = (page: Page) => page.getByRole('dialog', { name: 'Discover Your Sound' })

export const video = (page: Page) => page.getByRole('complementary', { name: 'Video' })

/** The record, labelled with its action: 'Play', 'Pause' or 'Loading'. */
export const art = (page: Page, name: 'Play' | 'Pause' | 'Loading') =>
  page.getByRole('main').getByRole('button', { name, exact: true })

/** Seconds that the song has played, by the line of the player or of the bar. */
export async function position(page: Page): Promise<number> {
  const name = 'Song progress'
  const line = page.getByRole('slider', { name }).or(page.getByRole('progressbar', { name }))
  const text = await line.getAttribute('aria-valuetext')
  const [minutes = 0, seconds = 0] = text?.split(' ')[0]?.split(':').map(Number) ?? []
  return minutes * 60 + seconds
}

export const toast = (page: Page) => page.getByRole('status', { name: 'Notifications' })

/** Signs in, and waits until the song on Discover can be rated. */
export async function openDiscover(page: Page, who?: Parameters<typeof signIn>[1]): Promise<string> {
  const email = await signIn(page, who)
  await expect(pad(page, 'BANGER')).toBeEnabled()
  return email
}

/** Signs in, and waits until the song on Discover plays. */
export async function openPlaying(page: Page): Promise<void> {
  await signIn(page)
  await expect(art(page, 'Pause')).toBeVisible()
}

/** The ratings that the page sends from now on. */
export function watchRatings(page: Page): BodyOf<typeof rateAndAdvance>[] {
  const ratings: BodyOf<typeof rateAndAdvance>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(rateAndAdvance.path)) ratings.push(request.postDataJSON())
  })
  return ratings
}
