import { randomInt } from 'node:crypto'
import { checkAchievements } from '../../../contract/achievements.ts'
import { listMicrogenres } from '../../../contract/discovery.ts'
import {
  follow,
  getProfile,
  MAX_BIO_LENGTH,
  MAX_NAME_LENGTH,
  updateProfile,
} from '../../../contract/profiles.ts'
import type { Microgenre } from '../../../contract/shapes.ts'
import { signedInRequest } from '../fixtures.ts'
import { makeListener, makeSharedCollection, rateSongs } from '../listeners.ts'
import type { TestServer } from '../testServer.ts'
import type { TestMicrogenre } from '../testSongs.ts'
import type { Screen } from './screens.ts'

/**
 * A listener who has something on every screen, and meets people with the longest texts. `always` makes every load the
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
  const [ada, grace, gone] = [
    await makeListener(longest),
    await makeListener(longest),
    await makeListener({ isPublic: true }),
  ]
  for (const one of [ada, grace]) await db`update users set email = ${longEmail()} where id = ${one.id}`
  const profile = await (await ada.api.get(getProfile.path.replace(':id', ada.id))).json()

  const email = longEmail()
  await (await signedInRequest({ email })).dispose()
  const request = await signedInRequest({ email })
  for (const one of [grace, gone]) await request.post(follow.path.replace(':id', one.id))
  await gone.api.put(updateProfile.path, { data: { isPublic: false } })
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
