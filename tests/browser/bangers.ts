import type { APIRequestContext, Page } from '@playwright/test'
import { listMicrogenres } from '../../contract/discovery.ts'
import { signIn, startSession } from './fixtures.ts'
import { rateSongs } from './listeners.ts'

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
  for (const [n, { id }] of genres.entries()) await rateSongs(request, { banger: counts[n] ?? 0 }, [id])
  return genres
}

export async function genresOf(request: APIRequestContext): Promise<Genre[]> {
  return (await (await request.get(listMicrogenres.path)).json()) as Genre[]
}
