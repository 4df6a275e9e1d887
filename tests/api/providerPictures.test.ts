import { pino } from 'pino'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { deleteAccount } from '../../contract/profiles.ts'
import { removePhoto } from '../../contract/uploads.ts'
import { findOrCreateByIdentity } from '../../server/auth/identities.ts'
import { createSession } from '../../server/auth/sessions.ts'
import { createPictures } from '../../server/integrations/pictures.ts'
import { sweepUploads } from '../../server/uploads/discardUpload.ts'
import { fetchProviderPictures } from '../../server/uploads/providerPictures.ts'
import { choosePhoto } from '../harness/multipart.ts'
import { request, requestBytes } from '../harness/request.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpService } from '../harness/setUpService.ts'
import { type Visitor, visitorAt } from '../harness/visitor.ts'
import { makePicture } from '../pictures.ts'
import { startPictureHost } from '../stand-ins/pictures.ts'

/* uploads-13: pictures of sign-in providers are fetched once, and served from here. */

const app = setUpApp()
const host = setUpService(startPictureHost)
beforeEach(async () => {
  host.behave('ok')
  host.show(await makePicture('png'))
  host.requests.length = 0
  await app.db`delete from provider_pictures`
})

test('the picture of a new account becomes its photo, square, as WebP, and is requested once', async () => {
  const { listener } = await signInWithPicture('ada.png')
  expect(await photoOf(listener)).toBeNull()
  await fetchPictures()
  const photo = (await photoOf(listener)) ?? ''
  const { status, bytes } = await requestBytes(app.url + photo)
  await fetchPictures()

  expect(photo).toMatch(/^\/photos\/[\w-]{43}-192\.webp$/)
  expect(status).toBe(200)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 192, height: 192 })
  expect(host.requests).toEqual(['ada.png'])
  expect(await app.db`select from provider_pictures`).toHaveLength(0)
  // The photo belongs to the profile: it is not swept, and goes with the account.
  await app.db`update uploads set created_at = now() - interval '1 day'`
  await sweepUploads(app.db, app.store)
  expect((await request(app.url + photo)).status).toBe(200)
  await listener.call(deleteAccount, { body: { confirmation: 'DELETE' } })
  await sweepUploads(app.db, app.store)
  expect((await request(app.url + photo)).status).toBe(404)
})

test('a failing host is retried with growing delays, for a day', async () => {
  const { listener, id } = await signInWithPicture('later.png')
  host.behave('down')
  const waits: (number | null)[] = []
  for (let n = 0; n < 13; n++) {
    await fetchPictures()
    waits.push(await minutesToWait(id))
    await app.db`
      update provider_pictures set next_attempt_at = now()
      where user_id = ${id} and next_attempt_at < 'infinity'`
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, null, null])
  expect(host.requests).toHaveLength(12)

  // At the next sign-in the provider names a new address.
  host.behave('ok')
  await signInWithPicture('new.png', id)
  await fetchPictures()
  expect(host.requests.at(-1)).toBe('new.png')
  expect(await photoOf(listener)).toMatch(/^\/photos\//)
})

test.each([
  ['a file that is no picture', async () => Buffer.from('I am a picture, really.')],
  ['a damaged picture', async () => (await makePicture('png')).subarray(0, 40_000)],
  ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
])('%s is not used, and not requested again before the next sign-in', async (_, make) => {
  const { listener, id } = await signInWithPicture('odd.png')
  host.show(await make())
  await fetchPictures()
  await fetchPictures()

  expect(host.requests).toEqual(['odd.png'])
  expect(await minutesToWait(id)).toBeNull()
  expect(await photoOf(listener)).toBeNull()
})

test('a photo that the listener chose or removed meanwhile is not replaced', async () => {
  const [ada, bea] = [await signInWithPicture('ada.png'), await signInWithPicture('bea.png')]
  const own = (await choosePhoto(ada.listener, await makePicture('png'))).body.profileImageUrl
  await bea.listener.call(removePhoto)
  await fetchPictures()
  expect(host.requests).toEqual([])

  // The same while the picture is being fetched.
  const cleo = await signInWithPicture('cleo.png')
  const picture = await makePicture('png')
  host.answer('cleo.png', async (_, response) => {
    await cleo.listener.call(removePhoto)
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
  })
  await fetchPictures()

  expect(await photoOf(ada.listener)).toBe(own)
  expect(await photoOf(bea.listener)).toBeNull()
  expect(await photoOf(cleo.listener)).toBeNull()
  expect(await app.db`select from uploads where user_id = ${cleo.id}`).toHaveLength(0)
})

test('servers that fetch at the same time request each picture once', async () => {
  for (let n = 0; n < 6; n++) await signInWithPicture(`one-of-six-${n}.png`)
  await Promise.all([fetchPictures(), fetchPictures(), fetchPictures()])

  expect(host.requests.toSorted()).toEqual(Array.from({ length: 6 }, (_, n) => `one-of-six-${n}.png`))
  expect(await app.db`select from provider_pictures`).toHaveLength(0)
})

test('a server that stops does not wait for a host that hangs', async () => {
  await signInWithPicture('slow.png')
  host.behave('slow')
  const stopping = new AbortController()
  const fetching = fetchProviderPictures(place(), stopping.signal)
  await expect.poll(() => host.requests).toEqual(['slow.png'])

  stopping.abort()
  await fetching
})

const place = () => ({
  db: app.db,
  log: pino({ level: 'silent' }),
  integrations: { store: app.store, pictures: createPictures({ production: false }) },
})

const fetchPictures = () => fetchProviderPictures(place(), new AbortController().signal)

let people = 0

/** Signs in by a provider that names this picture: a new listener, or the one of `id`. */
async function signInWithPicture(name: string, id?: string): Promise<{ id: string; listener: Visitor }> {
  const [identity] = await app.db<{ subject: string }[]>`
    select subject from identities where user_id = ${id ?? null}`
  const person = {
    subject: identity?.subject ?? `pictured-${++people}`,
    email: null,
    emailVerified: false,
    firstName: null,
    lastName: null,
    picture: host.address(name),
  }
  return app.db.begin(async (tx) => {
    const admission = { registration: 'open', invitation: null } as const
    const account = await findOrCreateByIdentity(tx, 'google', person, admission)
    if ('failure' in account) throw new Error(account.failure)
    const { userId } = account
    const session = (await createSession(tx, userId, null)) ?? ''
    return { id: userId, listener: visitorAt(app.url, new Map([['session', session]])) }
  })
}

const photoOf = async (listener: Visitor) => (await listener.call(getCurrentUser)).body.profileImageUrl

/** Minutes until the next attempt; null when it was given up. */
async function minutesToWait(id: string): Promise<number | null> {
  const [row] = await app.db<{ minutes: number | null }[]>`
    select case when next_attempt_at < 'infinity'
      then round(extract(epoch from next_attempt_at - now()) / 60)::int end as minutes
    from provider_pictures where user_id = ${id}`
  return row?.minutes ?? null
}
