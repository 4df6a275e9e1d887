import { expect, test } from 'vitest'
import {
  FOLLOWS_LIMIT,
  follow,
  getProfile,
  type ListedFollow,
  listFollowers,
  listFollowing,
  type updateProfile as UpdateProfile,
  unfollow,
  updateProfile,
} from '../../contract/profiles.ts'
import { suspendAccount } from '../../server/auth/suspension.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { type Input, pathOf } from '../harness/visitor.ts'

const app = setUpApp()
const NOBODY = { status: 404, body: { message: 'There is no such listener.' } }

test('people-26: the lists of a public profile are open to everybody who is signed in, newest first', async () => {
  const [ada, bob, eve] = [await someoneWho(), await someoneWho(), await someoneWho()]
  for (const fan of [bob, eve]) await fan.call(follow, { params: { id: ada.id } })
  await ada.call(follow, { params: { id: eve.id } })
  const zoe = await app.signIn()
  await zoe.call(follow, { params: { id: bob.id } })
  const profileOf = async (id: string) => (await zoe.call(getProfile, { params: { id } })).body

  const { status, body } = await zoe.call(listFollowers, { params: { id: ada.id } })
  expect(status).toBe(200)
  expect(body).toEqual([
    { id: eve.id, profile: await profileOf(eve.id), isFollowing: false, followedAt: null },
    { id: bob.id, profile: await profileOf(bob.id), isFollowing: true, followedAt: null },
  ])
  expect(idsIn(await zoe.call(listFollowing, { params: { id: ada.id } }))).toEqual([eve.id])
  expect(idsIn(await zoe.call(listFollowing, { params: { id: bob.id } }))).toEqual([ada.id])
  expect(idsIn(await zoe.call(listFollowers, { params: { id: zoe.id } }))).toEqual([])
})

test.each([
  ['followers', listFollowers],
  ['following', listFollowing],
] as const)('people-26: the %s of a private profile are open to its owner only', async (_, list) => {
  const [ada, bob] = [await someoneWho(), await someoneWho()]
  const params = { id: ada.id }
  await bob.call(follow, { params })
  await ada.call(follow, { params: { id: bob.id } })
  await ada.call(updateProfile, { body: { isPublic: false } })
  const eve = await someoneWho()

  for (const other of [bob, eve]) expect(await other.call(list, { params })).toMatchObject(NOBODY)
  expect(await eve.call(list, { params: { id: '999999999' } })).toMatchObject(NOBODY)
  expect(idsIn(await ada.call(list, { params }))).toEqual([bob.id])
  await suspendAccount(app.db, bob.id)
  expect(await eve.call(list, { params: { id: bob.id } })).toMatchObject(NOBODY)
})

test("people-27: who is private or suspended is in nobody else's lists", async () => {
  const ada = await someoneWho()
  const [shy, gone, bob] = [await someoneWho(), await someoneWho(), await someoneWho()]
  for (const fan of [shy, gone, bob]) {
    await fan.call(follow, { params: { id: ada.id } })
    await ada.call(follow, { params: { id: fan.id } })
  }
  await shy.call(updateProfile, { body: { isPublic: false, firstName: 'Secret' } })
  await suspendAccount(app.db, gone.id)
  const params = { id: ada.id }
  const eve = await app.signIn()

  for (const viewer of [eve, bob])
    for (const list of [listFollowers, listFollowing])
      expect(idsIn(await viewer.call(list, { params }))).toEqual([bob.id])
  expect(idsIn(await ada.call(listFollowers, { params }))).toEqual([bob.id])
  // They find themselves.
  expect(idsIn(await shy.call(listFollowers, { params }))).toEqual([bob.id, shy.id])
  expect((await bob.call(getProfile, { params })).body).toMatchObject({ followerCount: 3, followingCount: 3 })
})

test('people-27, people-9: whom one follows and who became private is listed without a profile, and can be unfollowed', async () => {
  const [ada, bob] = [await app.signIn(), await someoneWho({ firstName: 'Secret', bio: 'Nobody’s business' })]
  const params = { id: ada.id }
  await ada.call(follow, { params: { id: bob.id } })
  await bob.call(updateProfile, { body: { isPublic: false, showEmail: true } })

  const { body } = await ada.call(listFollowing, { params })
  expect(body).toEqual([
    { id: bob.id, profile: null, isFollowing: true, followedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  ])
  await ada.call(unfollow, { params: { id: bob.id } })
  expect((await ada.call(listFollowing, { params })).body).toEqual([])
})

test('people-26: at most a hundred at a time; ranges return the others', async () => {
  const ada = await someoneWho()
  await app.db`
    with made as (
      insert into users (is_public, following_count) select true, 1 from generate_series(1, ${FOLLOWS_LIMIT + 20}::int)
      returning id)
    insert into follows (follower_id, followed_id, created_at)
    select id, ${ada.id}, now() - id * interval '1 second' from made`
  const path = pathOf(listFollowers, { params: { id: ada.id } })
  const part = async (range?: string) => {
    const { status, headers, body } = await ada.raw(path, range ? { headers: { range } } : {})
    return { status, range: headers['content-range'], ids: idsIn({ body: body as ListedFollow[] }) }
  }
  const first = await part('items=0-99')
  const second = await part('items=100-199')

  expect(first).toMatchObject({ status: 206, range: 'items 0-99/120' })
  expect(second).toMatchObject({ status: 206, range: 'items 100-119/120' })
  expect(new Set([...first.ids, ...second.ids]).size).toBe(FOLLOWS_LIMIT + 20)
  expect(await part('items=0-499')).toEqual(first)
  expect(await part()).toEqual({ ...first, status: 200, range: undefined })
  const beyond = await ada.raw(path, { headers: { range: 'items=120-219' } })
  expect(beyond).toMatchObject({ status: 416, body: { message: 'The list ends before this range.' } })
})

const idsIn = ({ body }: { body: ListedFollow[] }) => body.map(({ id }) => id)

async function someoneWho(body: NonNullable<Input<typeof UpdateProfile>['body']> = {}) {
  const someone = await app.signIn()
  await someone.call(updateProfile, { body: { isPublic: true, ...body } })
  return someone
}
