import { expect, test } from 'vitest'
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
  const nothing = { listeners: 0, days: 0, songs: 0, microgenres: 0, communities: 0 }
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

  expect(await recount(db)).toEqual({ listeners: 1, days: 1, songs: 2, microgenres: 1, communities: 1 })
  await expectRecount(db)
  expect(await recount(db)).toEqual(nothing)
})
