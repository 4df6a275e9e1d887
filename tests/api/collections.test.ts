import { expect, test } from 'vitest'
import {
  addCollectionItem,
  createCollection,
  deleteCollection,
  listCollections,
  MAX_COLLECTION_ITEMS,
  MAX_COLLECTIONS,
  shareCollection,
  unshareCollection,
  updateCollection,
} from '../../contract/collections.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { getSharedCollection } from '../../contract/sharing.ts'
import { makeMicrogenre } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { refusal, type Visitor } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)

test('a collection is public by default (sharing-1)', async () => {
  const { status, body } = await ada.raw(createCollection.path, {
    method: 'POST',
    json: { name: 'Soft focus' },
  })

  expect({ status, body }).toEqual({
    status: 200,
    body: {
      id: expect.stringMatching(/^[1-9]\d*$/),
      name: 'Soft focus',
      description: null,
      isPublic: true,
      items: [],
      shareToken: null,
    },
  })
})

test('name, description and privacy are stored, trimmed', async () => {
  const { status, body } = await ada.call(createCollection, {
    body: { name: '  Late  ', description: '  For the night. ', isPublic: false },
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'Late', description: 'For the night.', isPublic: false })
})

test.each([
  ['an empty name (sharing-1)', { name: '' }],
  ['a name of spaces (sharing-1)', { name: '   ' }],
  ['a name of invisible characters', { name: '\u200b\u2060 \u3000' }],
  ['a name of 101 characters', { name: 'x'.repeat(101) }],
  ['a description of 501 characters', { name: 'Fine', description: 'x'.repeat(501) }],
  ['a name with a NUL character', { name: 'a\u0000b' }],
])('%s answers 400 with a message, and creates nothing', async (_, json) => {
  const { status, body } = await ada.raw(createCollection.path, { method: 'POST', json })

  expect({ status, body }).toEqual(refusal(400, expect.stringMatching(/./)))
  expect(await app.db`select from collections where user_id = ${ada.id}`).toHaveLength(0)
})

test('name and description lose invisible and bidirectional control characters', async () => {
  const { status, body } = await ada.call(createCollection, {
    body: {
      name: '\u202ELa\u200Bte\u0007\nnight\u202C',
      description: 'one\ntwo \u202Eeerht\u202C',
      isPublic: true,
    },
  })

  expect({ status, body }).toMatchObject({
    status: 200,
    body: { name: 'Late night', description: 'one\ntwo eerht' },
  })
})

test('markup, all scripts and emoji are stored unchanged', async () => {
  for (const name of ['<script>alert(1)</script>', 'موسيقى 🌙', '日曜日の朝', 'x'.repeat(100)]) {
    const { body } = await ada.call(createCollection, { body: { name, description: name, isPublic: true } })
    expect(body).toMatchObject({ name, description: name })
  }
})

test('an item is a microgenre of the collection; adding it twice changes nothing (sharing-2)', async () => {
  const [id, genre] = [await make(ada), await makeMicrogenre(app.db, 1)]
  const add = () => ada.call(addCollectionItem, { params: { id }, body: { microgenreId: genre.id } })
  const first = await add()

  expect(first).toMatchObject({
    status: 200,
    body: { id: expect.any(String), microgenreId: genre.id, addedAt: expect.stringMatching(/Z$/) },
  })
  expect(await add()).toMatchObject({ status: 200, body: first.body })
  expect(await itemsOf(id)).toEqual([genre.id])
})

test('an unknown microgenre is 404', async () => {
  const id = await make(ada)
  const path = addCollectionItem.path.replace(':id', id)

  expect(await ada.raw(path, { method: 'POST', json: { microgenreId: '999999' } })).toMatchObject(
    refusal(404, 'There is no such microgenre.'),
  )
  expect(await itemsOf(id)).toEqual([])
})

test(`more than ${MAX_COLLECTION_ITEMS} items are 409, also when many are added at once`, async () => {
  const id = await make(ada)
  const genres = await Promise.all(
    Array.from({ length: MAX_COLLECTION_ITEMS + 6 }, () => makeMicrogenre(app.db, 0)),
  )
  const answers = await Promise.all(
    genres.map(({ id: microgenreId }) =>
      ada.call(addCollectionItem, { params: { id }, body: { microgenreId } }),
    ),
  )

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_COLLECTION_ITEMS)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(6)
  const [addedGenre = ''] = await itemsOf(id)
  const again = await ada.call(addCollectionItem, { params: { id }, body: { microgenreId: addedGenre } })
  expect(again.status).toBe(200)
})

test('the token is random, fits in an address, and is the same on repeat (sharing-3, sharing-4)', async () => {
  const id = await make(ada)
  const answers = await Promise.all([1, 2, 3, 4].map(() => ada.call(shareCollection, { params: { id } })))
  const other = await ada.call(shareCollection, { params: { id: await make(ada) } })

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.shareToken)).size).toBe(1)
  expect(answers[0]?.body.shareToken).toMatch(/^[A-Za-z0-9_-]{32}$/)
  expect(other.body.shareToken).not.toBe(answers[0]?.body.shareToken)
})

test('a private collection has no link (sharing-5)', async () => {
  const id = await make(ada, { isPublic: false })

  expect(await ada.call(shareCollection, { params: { id } })).toMatchObject(
    refusal(403, 'A private collection has no share link.'),
  )
  expect(await app.db`select from share_tokens where target_id = ${id}`).toHaveLength(0)
})

test('deleting a collection deletes its items and its link (sharing-6)', async () => {
  const [id, genre] = [await make(ada), await makeMicrogenre(app.db, 1)]
  await ada.call(addCollectionItem, { params: { id }, body: { microgenreId: genre.id } })
  const { body } = await ada.call(shareCollection, { params: { id } })

  expect(await ada.call(deleteCollection, { params: { id } })).toMatchObject({
    status: 200,
    body: { success: true },
  })
  expect((await ada.call(getSharedCollection, { params: { shareToken: body.shareToken } })).status).toBe(404)
  expect(await app.db`select from share_tokens where target_id = ${id} and kind = 'collection'`).toHaveLength(
    0,
  )
  expect(await itemsOf(id)).toEqual([])
  expect((await ada.call(deleteCollection, { params: { id } })).status).toBe(404)
})

test('the own collections are listed, newest first, with microgenres, views and link (sharing-18)', async () => {
  const bob = await app.signIn()
  const [first, second, genre] = [await make(ada), await make(ada), await makeMicrogenre(app.db, 1)]
  await make(bob)
  await ada.call(addCollectionItem, { params: { id: first }, body: { microgenreId: genre.id } })
  const { body: shared } = await ada.call(shareCollection, { params: { id: first } })
  await bob.call(getSharedCollection, { params: shared })

  const { status, body } = await ada.call(listCollections)
  expect(status).toBe(200)
  expect(body.map(({ id }) => id)).toEqual([second, first])
  expect(body[0]).toMatchObject({ items: [], shareToken: null, viewCount: 0 })
  expect(body[1]).toMatchObject({
    name: 'Made',
    isPublic: true,
    shareToken: shared.shareToken,
    viewCount: 1,
    createdAt: expect.stringMatching(/Z$/),
    items: [{ microgenreId: genre.id, name: genre.name, color: expect.stringMatching(/^#/) }],
  })
})

test('a change touches only what it names, and a blank description becomes none (sharing-18)', async () => {
  const id = await make(ada)
  const change = async (body: object) => (await ada.raw(pathOf(id), { method: 'PUT', json: body })).body

  expect(await change({ name: ' Later ' })).toMatchObject({
    name: 'Later',
    description: null,
    isPublic: true,
  })
  expect(await change({ description: 'Quiet ones' })).toMatchObject({
    name: 'Later',
    description: 'Quiet ones',
  })
  expect(await change({})).toMatchObject({ name: 'Later', description: 'Quiet ones', isPublic: true })
  expect(await change({ description: ' ' })).toMatchObject({ name: 'Later', description: null })
})

test('microgenres are replaced, in the order of the body, and keep the time when they were added (sharing-18)', async () => {
  const id = await make(ada)
  const genres = await Promise.all([1, 2, 3].map(() => makeMicrogenre(app.db, 1)))
  const [a = '', b = '', c = ''] = genres.map((genre) => genre.id)
  await ada.call(addCollectionItem, { params: { id }, body: { microgenreId: a } })
  const added = () => app.db`
    select added_at from collection_items where collection_id = ${id} and microgenre_id = ${a}`
  const [before] = await added()

  const { body } = await ada.call(updateCollection, { params: { id }, body: { microgenreIds: [c, a, b] } })
  expect(body.items.map(({ microgenreId }) => microgenreId)).toEqual([c, a, b])
  expect((await added())[0]).toEqual(before)

  await ada.call(updateCollection, { params: { id }, body: { microgenreIds: [b] } })
  expect(await itemsOf(id)).toEqual([b])
})

test.each([
  ['an empty name', { name: ' ' }, 400],
  ['a microgenre twice', { microgenreIds: ['1', '1'] }, 400],
  ['51 microgenres', { microgenreIds: Array.from({ length: 51 }, (_, n) => String(n + 1)) }, 400],
  ['an unknown microgenre', { name: 'Other', microgenreIds: ['999999'] }, 404],
])('a change with %s is refused, and changes nothing (sharing-18)', async (_, json, expected) => {
  const [id, genre] = [await make(ada), await makeMicrogenre(app.db, 1)]
  await ada.call(addCollectionItem, { params: { id }, body: { microgenreId: genre.id } })
  const before = (await ada.call(listCollections)).body

  expect((await ada.raw(pathOf(id), { method: 'PUT', json })).status).toBe(expected)
  expect((await ada.call(listCollections)).body).toEqual(before)
})

test('a collection that becomes private loses its link at once; public again, it gets another (sharing-4)', async () => {
  const bob = await app.signIn()
  const id = await make(ada)
  const { body: first } = await ada.call(shareCollection, { params: { id } })
  const { body } = await ada.call(updateCollection, { params: { id }, body: { isPublic: false } })
  expect(body).toMatchObject({ isPublic: false, shareToken: null })
  expect((await bob.call(getSharedCollection, { params: first })).status).toBe(404)

  await ada.call(updateCollection, { params: { id }, body: { isPublic: true } })
  const { body: second } = await ada.call(shareCollection, { params: { id } })
  expect((await bob.call(getSharedCollection, { params: first })).status).toBe(404)
  expect((await bob.call(getSharedCollection, { params: second })).status).toBe(200)
})

test('a link can be ended, twice without harm, and another one made (sharing-18)', async () => {
  const id = await make(ada)
  const { body: first } = await ada.call(shareCollection, { params: { id } })
  for (let n = 0; n < 2; n++)
    expect(await ada.call(unshareCollection, { params: { id } })).toMatchObject({
      status: 200,
      body: { success: true },
    })
  expect((await ada.call(getSharedCollection, { params: first })).status).toBe(404)
  const { body: second } = await ada.call(shareCollection, { params: { id } })
  expect(second.shareToken).not.toBe(first.shareToken)
})

test('sharing and going private at once never leave a link to a private collection', async () => {
  for (let n = 0; n < 20; n++) {
    const id = await make(ada)
    await Promise.all([
      ada.call(shareCollection, { params: { id } }),
      ada.call(updateCollection, { params: { id }, body: { isPublic: false } }),
    ])
    expect(await app.db`select from share_tokens where target_id = ${id} and kind = 'collection'`).toEqual([])
  }
})

test('the 201st collection is 409 with a message (sharing-18)', async () => {
  await app.db`
    insert into collections (user_id, name) select ${ada.id}, 'Made' from generate_series(1, ${MAX_COLLECTIONS})`
  expect(await ada.call(createCollection, { body: { name: 'One more', isPublic: true } })).toMatchObject(
    refusal(409, 'You have 200 collections. Delete one first.'),
  )
})

test('more than 100 collections within an hour is 429 with Retry-After', async () => {
  await app.db`
    insert into limit_counters (key, count, expires_at)
    values (${`collections:${ada.id}`}, 100, now() + interval '1 hour')`
  const { status, headers } = await ada.call(createCollection, { body: { name: 'One more', isPublic: true } })

  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect((await ada.call(listMicrogenres)).status).toBe(200)
})

const pathOf = (id: string) => updateCollection.path.replace(':id', id)

async function make(listener: Visitor, { isPublic = true } = {}): Promise<string> {
  const { body } = await listener.call(createCollection, { body: { name: 'Made', isPublic } })
  return body.id
}

async function itemsOf(collection: string): Promise<string[]> {
  const rows = await app.db<{ microgenreId: string }[]>`
    select microgenre_id from collection_items where collection_id = ${collection} order by id`
  return rows.map(({ microgenreId }) => microgenreId)
}
