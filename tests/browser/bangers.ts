import type { APIRequestContext, Page } from '@playwright/test'
import { listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import { signIn, startSession } from './fixtures.ts'

export interface Genre {
  id: string
  name: string
  color: string
  description: string
}
/** Signs in with the given number of bangers in the first, second … microgenre, and returns those. */
export async function signInWithBangers(page: Page, counts: number[]): Promise<Genre[]> {
  const email = await startSession(page.context())
  const genres = await rateBangers(page.request, counts)
  await signIn(page, { email })
  return genres
}

export async function rateBangers(request: APIRequestContext, counts: number[], from = 0): Promise<Genre[]> {
  const genres = (await genresOf(request)).slice(from, from + counts.length)
  for (const [index, genre] of genres.entries()) {
    const next = await request.get(`/api/microgenres/${genre.id}/next-song`)
    let song = (await next.json()) as { id: string }
    for (let n = 0; n < (counts[index] ?? 0); n++) {
      const rated = await request.post(rateAndAdvance.path, {
        data: { microgenreId: genre.id, songId: song.id, rating: 'banger' },
      })
      song = ((await rated.json()) as { nextSong: { id: string } }).nextSong
    }
  }
  return genres
}

export async function genresOf(request: APIRequestContext): Promise<Genre[]> {
  return (await (await request.get(listMicrogenres.path)).json()) as Genre[]
}
