import type { APIRequestContext } from '@playwright/test'
import { getNextSong, listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import type { Body } from '../../contract/endpoint.ts'
import { updateProfile } from '../../contract/profiles.ts'
import type { Microgenre, Rating, Song } from '../../contract/shapes.ts'
import { newEmail, signedInRequest } from './fixtures.ts'

/**
 * Rates that many songs of each kind through the API, one microgenre after another of these, or of all.
 * @throws when a rating is not stored, or there are fewer songs than ratings.
 */
export async function rateSongs(
  api: APIRequestContext,
  wanted: Partial<Record<Rating, number>>,
  among?: string[],
): Promise<void> {
  const ratings = Object.entries(wanted).flatMap(([rating, n]) => Array<string>(n).fill(rating))
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
export async function makeListener(profile: Body<typeof updateProfile> = {}): Promise<Listener> {
  const email = newEmail()
  const api = await signedInRequest({ email })
  await api.put(updateProfile.path, { data: profile })
  return { id: api.id, email, api }
}
