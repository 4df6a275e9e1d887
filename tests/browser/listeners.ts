import { randomInt } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { checkAchievements, listAchievements } from '../../contract/achievements.ts'
import { addCollectionItem, createCollection, shareCollection } from '../../contract/collections.ts'
import { getNextSong, listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { listRatings, type RatedSong } from '../../contract/library.ts'
import { createMix } from '../../contract/mixes.ts'
import {
  follow,
  getProfile,
  MAX_BIO_LENGTH,
  MAX_NAME_LENGTH,
  updateProfile,
} from '../../contract/profiles.ts'
import type { Microgenre, Rating, Song } from '../../contract/shapes.ts'
import { shareAchievement, sharePath } from '../../contract/sharing.ts'
import { expect, newEmail, signedInRequest, signIn, startSession } from './fixtures.ts'
import type { Screen } from './requestStorms/screens.ts'
import type { TestServer } from './testServer.ts'
import type { TestMicrogenre } from './testSongs.ts'

/**
 * Rates that many songs of each kind through the API, one microgenre after another of these, or of all.
 * @throws when a rating is not stored, or there are fewer songs than ratings.
 */
export async function rateSongs(
  api: APIRequestContext,
  counts: Partial<Record<Rating, number>>,
  among?: string[],
): Promise<void> {
  const ratings = Object.entries(counts).flatMap(([rating, n]) => Array<string>(n).fill(rating))
  const ids =
    among ?? ((await (await api.get(listMicrogenres.path)).json()) as Microgenre[]).map(({ id }) => id)
  for (const id of ids) {
    const first = await api.get(getNextSong.path.replace(':id', id))
    let song = first.ok() ? ((await first.json()) as Song) : null
    while (song && ratings.length > 0) {
      const data = { microgenreId: id, songId: song.id, rating: ratings.shift() }
      const answer = await api.post(rateAndAdvance.path, { data })
      if (!answer.ok()) throw new Error(`A rating got ${answer.status()}: ${await answer.text()}`)
      song = ((await answer.json()) as { nextSong: Song | null }).nextSong
    }
    if (ratings.length === 0) return
  }
  throw new Error(`No songs were left for ${ratings.length} ratings.`)
}

export interface Listener {
  id: string
  email: string
  /** Signed in as this listener, with separate cookies. */
  api: APIRequestContext
}

/** Another listener, with this profile. */
export async function makeListener(profile: BodyOf<typeof updateProfile> = {}): Promise<Listener> {
  const email = newEmail()
  const api = await signedInRequest({ email })
  await api.put(updateProfile.path, { data: profile })
  return { id: api.id, email, api }
}

/** Shares a collection of this microgenre, or the first; returns the path of its page. */
export async function makeSharedCollection(
  api: APIRequestContext,
  name: string,
  microgenreIds?: string[],
  description = '',
): Promise<string> {
  const [genre] = (await (await api.get(listMicrogenres.path)).json()) as { id: string }[]
  const response = await api.post(createCollection.path, { data: { name, description, isPublic: true } })
  const { id } = (await response.json()) as { id: string }
  for (const microgenreId of microgenreIds ?? [genre?.id])
    await api.post(addCollectionItem.path.replace(':id', id), { data: { microgenreId } })
  const shared = await api.post(shareCollection.path.replace(':id', id))
  const { shareToken } = (await shared.json()) as { shareToken: string }
  return sharePath('collection', shareToken)
}

/** Earns and shares the first_banger achievement; returns the path of its page. */
export async function makeSharedAchievement(api: APIRequestContext): Promise<string> {
  await rateSongs(api, { banger: 1 })
  const [first] = (await (await api.get(listAchievements.path)).json()) as { id: string }[]
  const shared = await api.post(shareAchievement.path.replace(':id', first?.id ?? ''))
  const { shareToken } = (await shared.json()) as { shareToken: string }
  return sharePath('achievement', shareToken)
}

/** Shares a mix of three bangers; returns the path of its page. */
export async function makeSharedMix(api: APIRequestContext, name: string): Promise<string> {
  await rateSongs(api, { banger: 3 })
  const ratings = (await (await api.get(listRatings.path)).json()) as RatedSong[]
  const data = { name, songIds: ratings.slice(0, 3).map(({ id }) => id), isPublic: true }
  const { shareToken } = (await (await api.post(createMix.path, { data })).json()) as { shareToken: string }
  return sharePath('mix', shareToken)
}

export interface Genre {
  id: string
  name: string
  color: string
  description: string
}

/** Signs in a listener whose songs are covered. */
export async function signInEarFirst(page: Page): Promise<void> {
  await signIn(page, { path: '/privacy' })
  await page.request.put(updateProfile.path, { data: { earFirst: true } })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Hidden song' })).toBeVisible()
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

/**
 * A listener with content on every screen, among people with the longest texts. `always` makes every load the
 * same, whatever other tests changed.
 */
export async function makeWatchedListener({ db }: TestServer, { id }: TestMicrogenre) {
  const longest = {
    firstName: `Ada${randomInt(1e9)}`.padEnd(MAX_NAME_LENGTH, 'm'),
    lastName: 'W'.repeat(MAX_NAME_LENGTH),
    bio: 'i'.repeat(MAX_BIO_LENGTH),
    isPublic: true,
    showEmail: true,
  }
  const longEmail = () => `${'w'.repeat(55)}${randomInt(1e9)}@${'long'.repeat(15)}.example.org`
  const [ada, grace, deleted] = [
    await makeListener(longest),
    await makeListener(longest),
    await makeListener({ isPublic: true }),
  ]
  for (const one of [ada, grace]) await db`update users set email = ${longEmail()} where id = ${one.id}`
  const profile = await (await ada.api.get(getProfile.path.replace(':id', ada.id))).json()

  const email = longEmail()
  await (await signedInRequest({ email })).dispose()
  const request = await signedInRequest({ email })
  for (const one of [grace, deleted]) await request.post(follow.path.replace(':id', one.id))
  await deleted.api.put(updateProfile.path, { data: { isPublic: false } })
  await rateSongs(request, { banger: 12, bust: 2 }, [id])
  await makeSharedCollection(request, 'Night buses to the end of the line and back again')
  await makeSharedCollection(request, 'Oud 🎧')
  // Announced now, so that no toast covers a button later.
  await request.post(checkAchievements.path)
  const all = (await (await request.get(listMicrogenres.path)).json()) as Microgenre[]
  const always: NonNullable<Screen['instead']> = {
    'GET /api/microgenres': { json: all.filter((microgenre) => microgenre.id === id) },
    'GET /api/users/discover': { json: [{ ...profile, isFollowing: false }] },
  }
  return { always, storageState: await request.storageState() }
}
