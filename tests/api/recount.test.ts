import { expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { follow, updateProfile } from '../../contract/profiles.ts'
import { recount } from '../../server/community/recount.ts'
import { makeMicrogenre, rateOn } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'

const app = setUpApp()
const ada = setUpListener(app)

test('a recount corrects every total, and leaves what waits to the roll-up', async () => {
  const { db } = app
  const genre = await makeMicrogenre(db, 5)
  const [one = '', two = '', three = ''] = await rateOn(ada, genre.id, { most: 4 })
  await expectRecount(db)
  const [bob, eve] = [await app.signIn(), await app.signIn()]
  for (const person of [bob, eve]) {
    await person.call(updateProfile, { body: { isPublic: true } })
    await ada.call(follow, { params: { id: person.id } })
  }
  const nothing = { listeners: 0, follows: 0, days: 0, songs: 0, microgenres: 0, communities: 0 }
  expect(await recount(db)).toEqual(nothing)

  await rateOn(ada, genre.id, { most: 1 })
  expect(await recount(db)).toEqual(nothing)
  await db`update listener_stats set total_ratings = total_ratings + 1 where user_id = ${ada.id}`
  await db`update listener_genres set ratings = ratings + 1 where user_id = ${ada.id}`
  await db`update song_totals set heard_ratings = heard_ratings + 1 where song_id = ${one}`
  await db`delete from song_totals where song_id = ${two}`
  await db`update song_days set bangers = bangers + 1 where song_id = ${three}`
  await db`update microgenre_totals set dealt_ratings = dealt_ratings + 1`
  await db`update community_totals set active_users = active_users + 5`
  await db`update microgenres set live_song_count = 2 where id = ${genre.id}`
  await db`update follow_counts set following = 5, followers = 1 where user_id = ${ada.id}`
  await db`delete from follow_counts where user_id = ${bob.id}`

  expect(await recount(db)).toEqual({
    listeners: 1,
    follows: 2,
    days: 1,
    songs: 2,
    microgenres: 2,
    communities: 1,
  })
  await expectRecount(db)
  expect((await ada.call(getCurrentUser)).body).toMatchObject({ followerCount: 0, followingCount: 2 })
  expect((await bob.call(getCurrentUser)).body.followerCount).toBe(1)
  const { body: microgenres } = await ada.call(listMicrogenres)
  expect(microgenres.find(({ id }) => id === genre.id)?.songCount).toBe(5)
  expect(await recount(db)).toEqual(nothing)
})
