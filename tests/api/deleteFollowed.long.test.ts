import { expect, test } from 'vitest'
import { deleteAccount, follow, unfollow, updateProfile } from '../../contract/profiles.ts'
import { removeFollows } from '../../server/profiles/deleteAccount.ts'
import { setUpApp } from '../harness/setUpApp.ts'

const app = setUpApp()

test('while somebody with 100,000 followers leaves, others follow without waiting', async () => {
  const star = await app.signIn()
  const other = await app.signIn()
  for (const who of [star, other]) await who.call(updateProfile, { body: { isPublic: true, bio: 'Dub.' } })
  for (let n = 0; n < 50; n++)
    await app.db`
      with made as (insert into users (is_public) select true from generate_series(1, 2000) returning id)
      insert into follows (follower_id, followed_id) select id, ${star.id} from made`
  const fans = await Promise.all([1, 2, 3, 4].map(() => app.signIn()))
  for (const fan of fans) await fan.call(follow, { params: { id: star.id } })
  let isOver = false
  const waits: number[] = []
  const following = fans.map(async (fan) => {
    // A listener may make 1,200 calls a minute (limits-1).
    for (let n = 0; !isOver && n < 1000; n++) {
      const since = performance.now()
      const { status } = await fan.call(n % 2 ? unfollow : follow, { params: { id: other.id } })
      expect(status).toBe(200)
      waits.push(performance.now() - since)
    }
  })
  const since = performance.now()
  expect((await star.call(deleteAccount, { body: { confirmation: star.email } })).status).toBe(200)
  const deletedIn = performance.now() - since
  await removeFollows(app.db)
  const removedIn = performance.now() - since
  isOver = true
  await Promise.all(following)

  expect(await app.db`select from follows where followed_id = ${star.id}`).toEqual([])
  waits.sort((a, b) => a - b)
  const p99 = waits[Math.floor(waits.length * 0.99)]
  console.info({ deletedIn, removedIn, p99 })
  expect(p99).toBeLessThan(removedIn / 20)
}, 600_000)
