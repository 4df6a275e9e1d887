import { expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import {
  FOLLOWS_PAGE_SIZE,
  type FollowListEntry,
  follow,
  getFollowStatus,
  getProfile,
  getUserStats,
  listFollowers,
  listFollowing,
  listPublicUsers,
  type updateProfile as UpdateProfile,
  unfollow,
  updateProfile,
} from '../../contract/profiles.ts'
import { suspendAccount } from '../../server/auth/accountRights.ts'
import { connect, type Queryable } from '../../server/db/connection.ts'
import { listFollows } from '../../server/profiles/follows.ts'
import { makeMicrogenre, rateOn } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { type Input, pathOf, refusal } from '../harness/visitor.ts'

const app = setUpApp()
const NOBODY = refusal(404, 'There is no such listener.')

test('people-1, people-2: a new account is private, and unknown to others', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const params = { id: ada.id }

  expect(await bob.call(getProfile, { params })).toMatchObject(NOBODY)
  expect(await bob.call(getUserStats, { params })).toMatchObject(NOBODY)
  expect(await bob.call(getFollowStatus, { params })).toMatchObject(NOBODY)
  expect(await bob.call(follow, { params })).toMatchObject(NOBODY)
  expect(await bob.call(getProfile, { params: { id: '999999999' } })).toMatchObject(NOBODY)
  expect((await bob.call(listPublicUsers)).body.map(({ id }) => id)).not.toContain(ada.id)
  expect((await ada.call(getProfile, { params })).body.email).toBe(ada.email)
})

test('a public profile does not show the address', async () => {
  const ada = await signInPublicListener({ bio: 'Dub, mostly.', firstName: 'Ada' })
  const bob = await app.signIn()
  const { status, body } = await bob.call(getProfile, { params: { id: ada.id } })

  expect(status).toBe(200)
  expect(body).toEqual({
    id: ada.id,
    firstName: 'Ada',
    lastName: null,
    email: null,
    profileImageUrl: null,
    bio: 'Dub, mostly.',
    isPublic: true,
    createdAt: expect.stringMatching(/Z$/),
    followerCount: 0,
    followingCount: 0,
  })
  expect((await bob.call(listPublicUsers)).body).toContainEqual({ ...body, isFollowing: false })
})

test('an address is shown only on a public profile whose owner shows it', async () => {
  const ada = await signInPublicListener({ showEmail: true })
  const bob = await app.signIn()
  const params = { id: ada.id }
  expect((await bob.call(getProfile, { params })).body.email).toBe(ada.email)
  await ada.call(updateProfile, { body: { isPublic: false } })
  await bob.call(follow, { params })

  expect((await bob.call(getProfile, { params })).status).toBe(404)
})

test('updating the profile keeps fields that are left out and clears blank ones', async () => {
  const ada = await signInListener({ bio: 'Dub.', firstName: ' Ada ', lastName: 'L', showEmail: true })
  const { status, body } = await ada.call(updateProfile, { body: { bio: '   ', isPublic: true } })

  expect(status).toBe(200)
  expect(body).toMatchObject({ bio: null, isPublic: true, firstName: 'Ada', lastName: 'L', showEmail: true })
  expect((await ada.call(getCurrentUser)).body).toMatchObject(body)
})

test('playback-62: the setting to start at the chorus is off at first, persists, and is private', async () => {
  const [ada, bob] = [await signInPublicListener(), await app.signIn()]
  expect((await ada.call(getCurrentUser)).body.startAtHook).toBe(false)
  expect((await ada.call(updateProfile, { body: { startAtHook: true } })).body.startAtHook).toBe(true)
  await ada.call(updateProfile, { body: { bio: 'Dub.' } })
  expect((await ada.call(getCurrentUser)).body).toMatchObject({ startAtHook: true, bio: 'Dub.' })
  expect((await bob.call(getProfile, { params: { id: ada.id } })).body).not.toHaveProperty('startAtHook')
  expect((await bob.call(getCurrentUser)).body.startAtHook).toBe(false)
})

test('discover-70: the choice of songs persists, and is private', async () => {
  const [ada, bob] = [await signInPublicListener(), await app.signIn()]
  const changed = await ada.call(updateProfile, { body: { songChoice: 'surprise', bio: 'Dub.' } })
  expect(changed.body).toMatchObject({ songChoice: 'surprise', bio: 'Dub.' })
  await ada.call(updateProfile, { body: { startAtHook: true } })
  expect((await ada.call(getCurrentUser)).body).toMatchObject({ songChoice: 'surprise', startAtHook: true })
  expect((await bob.call(getProfile, { params: { id: ada.id } })).body).not.toHaveProperty('songChoice')
  expect((await bob.call(getCurrentUser)).body.songChoice).toBe('both')
})

test("discover-92: 'Ear first' is off at first, persists, takes only a boolean, and is private", async () => {
  const [ada, bob] = [await signInPublicListener(), await app.signIn()]
  const earFirst = async (listener: typeof ada) => (await listener.call(getCurrentUser)).body.earFirst
  expect(await earFirst(ada)).toBe(false)
  expect((await ada.call(updateProfile, { body: { earFirst: true } })).body.earFirst).toBe(true)
  for (const bad of ['false', null, 0])
    expect((await ada.call(updateProfile, { body: { earFirst: bad as never } })).status).toBe(400)
  expect([await earFirst(ada), await earFirst(bob)]).toEqual([true, false])
  expect((await bob.call(getProfile, { params: { id: ada.id } })).body).not.toHaveProperty('earFirst')
})

test('people-6: a bio of 280 emoji is stored, one of 281 refused', async () => {
  const ada = await app.signIn()
  const save = async (bio: string) => (await ada.call(updateProfile, { body: { bio } })).status
  expect([await save('🎧'.repeat(280)), await save('🎧'.repeat(281))]).toEqual([200, 400])
})

test('a bio of 280 characters is stored, and fields that a listener may not set are ignored', async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const json = { bio: 'x'.repeat(280), id: bob.id, userId: bob.id, email: 'x@example.test', followerCount: 9 }
  const { status } = await ada.raw(updateProfile.path, { method: 'PUT', json })

  expect(status).toBe(200)
  expect((await ada.call(getCurrentUser)).body).toMatchObject({
    email: ada.email,
    followerCount: 0,
    bio: 'x'.repeat(280),
  })
  expect((await bob.call(getCurrentUser)).body.bio).toBeNull()
})

test('people-9: following counts once, however often it is sent, and ends', async () => {
  const ada = await signInPublicListener()
  const bob = await app.signIn()
  const params = { id: ada.id }
  expect((await bob.call(follow, { params })).body).toEqual({
    isFollowing: true,
    followerCount: 1,
    followingCount: 0,
  })
  expect((await bob.call(follow, { params })).body.followerCount).toBe(1)
  expect((await bob.call(getFollowStatus, { params })).body.isFollowing).toBe(true)
  expect((await bob.call(getCurrentUser)).body.followingCount).toBe(1)

  expect((await bob.call(unfollow, { params })).body).toEqual({
    isFollowing: false,
    followerCount: 0,
    followingCount: 0,
  })
  expect((await bob.call(unfollow, { params })).body.followerCount).toBe(0)
  expect((await bob.call(getCurrentUser)).body.followingCount).toBe(0)
})

test('a follower of a profile that went private can still see that, and unfollow', async () => {
  const ada = await signInPublicListener()
  const [bob, eve] = [await app.signIn(), await app.signIn()]
  const params = { id: ada.id }
  await bob.call(follow, { params })
  await ada.call(updateProfile, { body: { isPublic: false } })

  expect((await bob.call(getFollowStatus, { params })).body).toEqual({
    isFollowing: true,
    followerCount: 1,
    followingCount: 0,
  })
  expect((await eve.call(getFollowStatus, { params })).status).toBe(404)
  expect((await bob.call(unfollow, { params })).body.isFollowing).toBe(false)
  expect((await bob.call(getFollowStatus, { params })).status).toBe(404)
})

test('unfollowing answers the same for unknown, private and suspended listeners', async () => {
  const [bob, fan] = [await app.signIn(), await app.signIn()]
  const [ada, eve] = [await signInPublicListener(), await signInPublicListener()]
  for (const { id } of [ada, eve]) await fan.call(follow, { params: { id } })
  await ada.call(updateProfile, { body: { isPublic: false } })
  await suspendAccount(app.db, eve.id, 'operator')

  for (const id of [ada.id, eve.id, '999999999']) {
    const { status, body } = await bob.call(unfollow, { params: { id } })
    expect({ status, body }).toEqual({
      status: 200,
      body: { isFollowing: false, followerCount: 0, followingCount: 0 },
    })
  }
})

test('following oneself is rejected', async () => {
  const ada = await signInPublicListener()

  expect(await ada.call(follow, { params: { id: ada.id } })).toMatchObject(
    refusal(400, 'You cannot follow yourself.'),
  )
})

test('the list has public listeners except the caller, most followed first', async () => {
  const [ada, bob, eve] = [
    await signInPublicListener(),
    await signInPublicListener(),
    await signInPublicListener(),
  ]
  await ada.call(follow, { params: { id: eve.id } })
  await bob.call(follow, { params: { id: eve.id } })
  await ada.call(follow, { params: { id: bob.id } })
  const { body } = await ada.call(listPublicUsers)
  const ids = body.map(({ id }) => id)

  expect(ids).not.toContain(ada.id)
  expect(ids.indexOf(eve.id)).toBeLessThan(ids.indexOf(bob.id))
  expect(body.filter(({ isFollowing }) => isFollowing).map(({ id }) => id)).toEqual([eve.id, bob.id])
})

test('the search is literal, ignores case, and does not find hidden addresses', async () => {
  const ada = await signInPublicListener({ firstName: 'Zoë', bio: '100% dub_techno' })
  const bob = await app.signIn()
  const finds = async (search: string) =>
    (await bob.call(listPublicUsers, { query: { search } })).body.some(({ id }) => id === ada.id)

  expect(await finds('zoë')).toBe(true)
  expect(await finds('100% DUB')).toBe(true)
  expect(await finds('dub_t')).toBe(true)
  expect(await finds('d%techno')).toBe(false)
  expect(await finds('dub.techno')).toBe(false)
  expect(await finds("' or true --")).toBe(false)
  expect(await finds(ada.email)).toBe(false)
  await ada.call(updateProfile, { body: { showEmail: true } })
  expect(await finds(ada.email)).toBe(true)
})

test.each(['.*(', '.*', '%', '_', '\\', '%_%', '[a-z]', '(?i)z'])(
  'a search for %s matches only that text (people-11)',
  async (search) => {
    const plain = await signInPublicListener({ firstName: 'Zoë', bio: 'Dub, mostly.' })
    const odd = await signInPublicListener({ bio: `Likes ${search} a lot` })
    const { status, body } = await (await app.signIn()).call(listPublicUsers, { query: { search } })
    const ids = body.map(({ id }) => id)

    expect(status).toBe(200)
    expect(ids).toContain(odd.id)
    expect(ids).not.toContain(plain.id)
  },
)

test.each([
  ['markup', '<img src=x onerror=alert(1)> &amp; <b>'],
  ['right to left', 'موسيقى الليل שלום'],
  ['emoji of several code points', '👩🏽‍🎤🎧🏳️‍🌈🇩🇪'],
  ['accents that no letter has composed', 'Ọ̀rọ̀ x\u0301'],
  ['quotes and the like', `'; drop table users; -- " \\ \${x} %s`],
  ['Persian and Hindi, with joiners', 'می‌خواهم क्‍ष'],
])('%s in a name and a bio is returned unchanged (people-22)', async (_, text) => {
  const ada = await signInPublicListener({ bio: ` ${text} `, firstName: text, lastName: text })
  const { status, body } = await (await app.signIn()).call(getProfile, { params: { id: ada.id } })

  expect(status).toBe(200)
  expect(body).toMatchObject({ bio: ` ${text} `, firstName: text, lastName: text })
})

test('name and bio lose invisible and bidirectional control characters', async () => {
  const name = '\u202EAd\u200Ba\u0007\nLove\u2060lace\u202C'
  const bio = 'one\n\ttwo \u202Eeerht\u202C\u0007\u200B'
  const ada = await signInPublicListener({ bio, firstName: name, lastName: '\u200B\u3164' })
  const { body } = await (await app.signIn()).call(getProfile, { params: { id: ada.id } })

  expect(body).toMatchObject({ firstName: 'Ada Lovelace', lastName: null, bio: 'one\n\ttwo eerht' })
})

test('stats of a public listener', async () => {
  const ada = await signInPublicListener()
  const genre = await makeMicrogenre(app.db, 2)
  await rateOn(ada, genre.id)
  const bob = await app.signIn()

  expect((await bob.call(getUserStats, { params: { id: ada.id } })).body).toEqual({
    totalBangers: 2,
    totalRatings: 2,
    favoriteMicrogenre: genre.name,
  })
})

test('people-26: the lists of a public profile are open to everybody who is signed in, newest first', async () => {
  const [ada, bob, eve] = [
    await signInPublicListener(),
    await signInPublicListener(),
    await signInPublicListener(),
  ]
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
  const [ada, bob] = [await signInPublicListener(), await signInPublicListener()]
  const params = { id: ada.id }
  await bob.call(follow, { params })
  await ada.call(follow, { params: { id: bob.id } })
  await ada.call(updateProfile, { body: { isPublic: false } })
  const eve = await signInPublicListener()

  for (const other of [bob, eve]) expect(await other.call(list, { params })).toMatchObject(NOBODY)
  expect(await eve.call(list, { params: { id: '999999999' } })).toMatchObject(NOBODY)
  expect(idsIn(await ada.call(list, { params }))).toEqual([bob.id])
  await suspendAccount(app.db, bob.id, 'operator')
  expect(await eve.call(list, { params: { id: bob.id } })).toMatchObject(NOBODY)
})

test("people-27: private and suspended listeners are in nobody else's lists", async () => {
  const ada = await signInPublicListener()
  const [privateListener, deletedListener, bob] = [
    await signInPublicListener(),
    await signInPublicListener(),
    await signInPublicListener(),
  ]
  for (const fan of [privateListener, deletedListener, bob]) {
    await fan.call(follow, { params: { id: ada.id } })
    await ada.call(follow, { params: { id: fan.id } })
  }
  await privateListener.call(updateProfile, { body: { isPublic: false, firstName: 'Secret' } })
  await suspendAccount(app.db, deletedListener.id, 'operator')
  const params = { id: ada.id }
  const eve = await app.signIn()

  for (const viewer of [eve, bob])
    for (const list of [listFollowers, listFollowing])
      expect(idsIn(await viewer.call(list, { params }))).toEqual([bob.id])
  expect(idsIn(await ada.call(listFollowers, { params }))).toEqual([bob.id])
  // They find themselves.
  expect(idsIn(await privateListener.call(listFollowers, { params }))).toEqual([bob.id, privateListener.id])
  expect((await bob.call(getProfile, { params })).body).toMatchObject({ followerCount: 3, followingCount: 3 })
})

test('people-27, people-9: a followed listener who became private is listed without a profile, and can be unfollowed', async () => {
  const [ada, bob] = [
    await app.signIn(),
    await signInPublicListener({ firstName: 'Secret', bio: 'Nobody’s business' }),
  ]
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

test('people-26: at most a hundred at a time; a link names the next page', async () => {
  const ada = await signInPublicListener()
  await makeFollowers(ada.id, FOLLOWS_PAGE_SIZE + 20)
  const path = pathOf(listFollowers, { params: { id: ada.id } })
  const readPage = async (query = '') => {
    const { status, headers, body } = await ada.raw(path + query)
    expect(status).toBe(200)
    const next = /^<(\?[^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
    return { ids: idsIn({ body: body as FollowListEntry[] }), next }
  }
  const first = await readPage()
  // Neither moves the second page.
  await (await signInPublicListener()).call(follow, { params: { id: ada.id } })
  await app.db`delete from follows where followed_id = ${ada.id} and follower_id = ${first.ids[0] ?? ''}`
  const second = await readPage(first.next)

  expect([first.ids.length, second.ids.length, second.next]).toEqual([FOLLOWS_PAGE_SIZE, 20, undefined])
  expect(new Set([...first.ids, ...second.ids]).size).toBe(FOLLOWS_PAGE_SIZE + 20)
  expect((await ada.raw(`${path}?after=1`)).status).toBe(400)
})

test('people-26: each page of a long list costs as much as the first, and many private followers little more', async () => {
  const ada = await signInPublicListener()
  for (const [count, isPublic] of [
    [50, true],
    [2100, false],
    [400, true],
  ] as const)
    await makeFollowers(ada.id, count, isPublic)
  const db = connect(app.target, { max: 1, lookups: true })
  const pages: { people: number; reads: number }[] = []
  const links: string[] = []
  await db.begin(async (tx) => {
    let after: string | undefined
    do {
      const before = await countReads(tx)
      const { follows, next } = await listFollows(tx, ada.id, ada.id, 'followers', after)
      pages.push({ people: follows.length, reads: (await countReads(tx)) - before })
      after = next
      links.push(next ?? '')
    } while (after)
  })
  await db.end({ timeout: 5 })

  expect(pages.map(({ people }) => people)).toEqual([100, 100, 100, 100, 0, 50])
  // people-27: a link names no private listener, nor the microsecond.
  const hidden = await app.db<{ id: string }[]>`
    select f.follower_id as id from follows f join users u on u.id = f.follower_id
    where f.followed_id = ${ada.id} and not u.is_public`
  expect(hidden.filter(({ id }) => links.some((link) => link.endsWith(`-${id}`)))).toEqual([])
  expect(links.filter((link) => /000-1$/.test(link))).toHaveLength(2)
  const [first, , third] = pages.map(({ reads }) => reads)
  expect(third).toBeLessThan((first ?? 0) * 1.1)
  expect(Math.max(...pages.map(({ reads }) => reads))).toBeLessThan(3500)
})

/** The index entries and rows of people and follows that this transaction has read. */
async function countReads(db: Queryable): Promise<number> {
  const [row] = await db<{ reads: number }[]>`
    select sum(pg_stat_get_xact_tuples_returned(c.oid))::int as reads from pg_class c left join pg_index i on i.indexrelid = c.oid
    where coalesce(i.indrelid, c.oid) in ('users'::regclass, 'follows'::regclass)`
  return row?.reads ?? 0
}

/** Followers, newer than those before. */
const makeFollowers = (id: string, count: number, isPublic = true) => app.db`
  with made as (
    insert into users (is_public) select ${isPublic} from generate_series(1, ${count}::int) returning id)
  insert into follows (follower_id, followed_id, created_at)
  select id, ${id}, now() - (1000000 - id) * interval '1 second' from made`

const idsIn = ({ body }: { body: FollowListEntry[] }) => body.map(({ id }) => id)

const signInPublicListener = (body: Parameters<typeof signInListener>[0] = {}) =>
  signInListener({ isPublic: true, ...body })

async function signInListener(body: NonNullable<Input<typeof UpdateProfile>['body']>) {
  const someone = await app.signIn()
  await someone.call(updateProfile, { body })
  return someone
}
