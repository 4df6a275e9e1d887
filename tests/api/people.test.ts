import { expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import {
  follow,
  getFollowStatus,
  getProfile,
  getUserStats,
  listPublicUsers,
  type updateProfile as UpdateProfile,
  unfollow,
  updateProfile,
} from '../../contract/profiles.ts'
import { suspendAccount } from '../../server/auth/suspension.ts'
import { makeMicrogenre, rateOn } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import type { Input } from '../harness/visitor.ts'

const app = setUpApp()
const NOBODY = { status: 404, body: { message: 'There is no such listener.' } }

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
  const ada = await someoneWho({ isPublic: true, bio: 'Dub, mostly.', firstName: 'Ada' })
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
  const ada = await someoneWho({ isPublic: true, showEmail: true })
  const bob = await app.signIn()
  const params = { id: ada.id }
  expect((await bob.call(getProfile, { params })).body.email).toBe(ada.email)
  await ada.call(updateProfile, { body: { isPublic: false } })
  await bob.call(follow, { params })

  expect((await bob.call(getProfile, { params })).status).toBe(404)
})

test('updating the profile keeps fields that are left out and clears blank ones', async () => {
  const ada = await someoneWho({ bio: 'Dub.', firstName: ' Ada ', lastName: 'L', showEmail: true })
  const { status, body } = await ada.call(updateProfile, { body: { bio: '   ', isPublic: true } })

  expect(status).toBe(200)
  expect(body).toMatchObject({ bio: null, isPublic: true, firstName: 'Ada', lastName: 'L', showEmail: true })
  expect((await ada.call(getCurrentUser)).body).toMatchObject(body)
})

test.each([
  ['a bio too long', { bio: 'x'.repeat(281) }],
  ['a bio of another type', { bio: 7 }],
  ['isPublic as a string', { isPublic: 'true' }],
  ['isPublic as null', { isPublic: null }],
  ['a choice of another type', { startAtHook: 'hook' }],
  ['a choice that does not exist', { songChoice: 'best' }],
  ['no choice', { songChoice: null }],
  ['a name too long', { firstName: 'x'.repeat(61) }],
  ['a list', []],
])('%s is rejected, and nothing changes', async (_, json) => {
  const ada = await someoneWho({ bio: 'Dub.' })
  const answer = await ada.raw(updateProfile.path, { method: 'PUT', json })

  expect(answer).toMatchObject({ status: 400, body: { message: expect.any(String) } })
  expect((await ada.call(getCurrentUser)).body).toMatchObject({
    bio: 'Dub.',
    isPublic: false,
    startAtHook: false,
    songChoice: 'both',
  })
})

test('playback-62: the choice to begin at the hook is off at first, stays until it is changed, and nobody else learns it', async () => {
  const [ada, bob] = [await someoneWho({ isPublic: true }), await app.signIn()]
  expect((await ada.call(getCurrentUser)).body.startAtHook).toBe(false)
  expect((await ada.call(updateProfile, { body: { startAtHook: true } })).body.startAtHook).toBe(true)
  await ada.call(updateProfile, { body: { bio: 'Dub.' } })
  expect((await ada.call(getCurrentUser)).body).toMatchObject({ startAtHook: true, bio: 'Dub.' })
  expect((await bob.call(getProfile, { params: { id: ada.id } })).body).not.toHaveProperty('startAtHook')
  expect((await bob.call(getCurrentUser)).body.startAtHook).toBe(false)
})

test('discover-70: which songs come stays as chosen, and nobody else learns it', async () => {
  const [ada, bob] = [await someoneWho({ isPublic: true }), await app.signIn()]
  const changed = await ada.call(updateProfile, { body: { songChoice: 'surprise', bio: 'Dub.' } })
  expect(changed.body).toMatchObject({ songChoice: 'surprise', bio: 'Dub.' })
  await ada.call(updateProfile, { body: { startAtHook: true } })
  expect((await ada.call(getCurrentUser)).body).toMatchObject({ songChoice: 'surprise', startAtHook: true })
  expect((await bob.call(getProfile, { params: { id: ada.id } })).body).not.toHaveProperty('songChoice')
  expect((await bob.call(getCurrentUser)).body.songChoice).toBe('both')
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
  const ada = await someoneWho({ isPublic: true })
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
  const ada = await someoneWho({ isPublic: true })
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
  const [ada, eve] = [await someoneWho({ isPublic: true }), await someoneWho({ isPublic: true })]
  for (const { id } of [ada, eve]) await fan.call(follow, { params: { id } })
  await ada.call(updateProfile, { body: { isPublic: false } })
  await suspendAccount(app.db, eve.id)

  for (const id of [ada.id, eve.id, '999999999']) {
    const { status, body } = await bob.call(unfollow, { params: { id } })
    expect({ status, body }).toEqual({
      status: 200,
      body: { isFollowing: false, followerCount: 0, followingCount: 0 },
    })
  }
})

test('following oneself is rejected', async () => {
  const ada = await someoneWho({ isPublic: true })

  expect(await ada.call(follow, { params: { id: ada.id } })).toMatchObject({
    status: 400,
    body: { message: 'You cannot follow yourself.' },
  })
})

test('the list has public listeners except the caller, most followed first', async () => {
  const [ada, bob, eve] = [
    await someoneWho({ isPublic: true }),
    await someoneWho({ isPublic: true }),
    await someoneWho({ isPublic: true }),
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
  const ada = await someoneWho({ isPublic: true, firstName: 'Zoë', bio: '100% dub_techno' })
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
    const plain = await someoneWho({ isPublic: true, firstName: 'Zoë', bio: 'Dub, mostly.' })
    const odd = await someoneWho({ isPublic: true, bio: `Likes ${search} a lot` })
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
  ['combining accents', 'e\u0301 A\u030A'],
  ['quotes and the like', `'; drop table users; -- " \\ \${x} %s`],
  ['Persian and Hindi, with joiners', 'می‌خواهم क्‍ष'],
])('%s in a name and a bio is returned unchanged (people-22)', async (_, text) => {
  const ada = await someoneWho({ isPublic: true, bio: ` ${text} `, firstName: text, lastName: text })
  const { status, body } = await (await app.signIn()).call(getProfile, { params: { id: ada.id } })

  expect(status).toBe(200)
  expect(body).toMatchObject({ bio: ` ${text} `, firstName: text, lastName: text })
})

test('name and bio lose invisible and bidirectional control characters', async () => {
  const name = '\u202EAd\u200Ba\u0007\nLove\u2060lace\u202C'
  const bio = 'one\n\ttwo \u202Eeerht\u202C\u0007\u200B'
  const ada = await someoneWho({ isPublic: true, bio, firstName: name, lastName: '\u200B\u3164' })
  const { body } = await (await app.signIn()).call(getProfile, { params: { id: ada.id } })

  expect(body).toMatchObject({ firstName: 'Ada Lovelace', lastName: null, bio: 'one\n\ttwo eerht' })
})

test('a text with a NUL character is rejected with a message, and nothing changes', async () => {
  const ada = await someoneWho({ bio: 'Dub.' })
  for (const json of [{ bio: 'a\u0000b' }, { firstName: 'a\u0000b' }]) {
    const answer = await ada.raw(updateProfile.path, { method: 'PUT', json })
    expect(answer).toMatchObject({ status: 400, body: { message: expect.any(String) } })
  }
  const search = await ada.raw(`${listPublicUsers.path}?search=%00`)

  expect(search).toMatchObject({ status: 400, body: { message: expect.any(String) } })
  expect((await ada.call(getCurrentUser)).body).toMatchObject({ bio: 'Dub.', firstName: null })
})

test('stats of a public listener', async () => {
  const ada = await someoneWho({ isPublic: true })
  const genre = await makeMicrogenre(app.db, 2)
  await rateOn(ada, genre.id)
  const bob = await app.signIn()

  expect((await bob.call(getUserStats, { params: { id: ada.id } })).body).toEqual({
    totalBangers: 2,
    totalRatings: 2,
    favoriteMicrogenre: genre.name,
  })
})

async function someoneWho(body: NonNullable<Input<typeof UpdateProfile>['body']>) {
  const someone = await app.signIn()
  await someone.call(updateProfile, { body })
  return someone
}
