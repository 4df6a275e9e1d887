import { expect, test } from 'vitest'
import {
  addCollectionItem,
  COLLECTION_ITEM_LIMIT,
  createCollection,
  deleteCollection,
  shareCollection,
} from '../../contract/collections.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { getSharedCollection } from '../../contract/sharing.ts'
import { makeMicrogenre } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()

const NOT_YOURS = { message: 'You have no such collection.' }

test('a collection is public by default (sharing-1)', async () => {
  const ada = await app.signIn()
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
  const ada = await app.signIn()
  const { status, body } = await ada.call(createCollection, {
    body: { name: '  Late  ', description: '  For the night. ', isPublic: false },
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'Late', description: 'For the night.', isPublic: false })
})

test.each([
  ['no name', {}],
  ['an empty name (sharing-1)', { name: '' }],
  ['a name of spaces (sharing-1)', { name: '   ' }],
  ['a name of invisible characters', { name: '\u200b\u2060 \u3000' }],
  ['a name of 101 characters', { name: 'x'.repeat(101) }],
  ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }],
  ['a name that is a number', { name: 7 }],
  ['a description of 501 characters', { name: 'Fine', description: 'x'.repeat(501) }],
  ['a privacy that is a string', { name: 'Fine', isPublic: 'yes' }],
  ['a name with a NUL character', { name: 'a\u0000b' }],
])('%s answers 400 with a message, and creates nothing', async (_, json) => {
  const ada = await app.signIn()
  const { status, body } = await ada.raw(createCollection.path, { method: 'POST', json })

  expect({ status, body }).toEqual({ status: 400, body: { message: expect.stringMatching(/./) } })
  expect(await app.db`select from collections where user_id = ${ada.id}`).toHaveLength(0)
})

test('name and description lose invisible and bidirectional control characters', async () => {
  const ada = await app.signIn()
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
  const ada = await app.signIn()
  for (const name of ['<script>alert(1)</script>', 'موسيقى 🌙', '日曜日の朝', 'x'.repeat(100)]) {
    const { body } = await ada.call(createCollection, { body: { name, description: name, isPublic: true } })
    expect(body).toMatchObject({ name, description: name })
  }
})

test('an item is a microgenre of the collection; adding it twice changes nothing (sharing-2)', async () => {
  const ada = await app.signIn()
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

test('an unknown microgenre is 404, a malformed id 400', async () => {
  const ada = await app.signIn()
  const id = await make(ada)
  const path = addCollectionItem.path.replace(':id', id)

  expect(await ada.raw(path, { method: 'POST', json: { microgenreId: '999999' } })).toMatchObject({
    status: 404,
    body: { message: 'There is no such microgenre.' },
  })
  for (const microgenreId of [undefined, '', 'x', 7, null]) {
    expect((await ada.raw(path, { method: 'POST', json: { microgenreId } })).status).toBe(400)
  }
  expect(await itemsOf(id)).toEqual([])
})

test(`more than ${COLLECTION_ITEM_LIMIT} items are 409, also when many are added at once`, async () => {
  const ada = await app.signIn()
  const id = await make(ada)
  const genres = await Promise.all(
    Array.from({ length: COLLECTION_ITEM_LIMIT + 6 }, () => makeMicrogenre(app.db, 0)),
  )
  const answers = await Promise.all(
    genres.map(({ id: microgenreId }) =>
      ada.call(addCollectionItem, { params: { id }, body: { microgenreId } }),
    ),
  )

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(COLLECTION_ITEM_LIMIT)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(6)
  const [held = ''] = await itemsOf(id)
  const again = await ada.call(addCollectionItem, { params: { id }, body: { microgenreId: held } })
  expect(again.status).toBe(200)
})

test('the token is random, fits in an address, and is the same on repeat (sharing-3, sharing-4)', async () => {
  const ada = await app.signIn()
  const id = await make(ada)
  const answers = await Promise.all([1, 2, 3, 4].map(() => ada.call(shareCollection, { params: { id } })))
  const other = await ada.call(shareCollection, { params: { id: await make(ada) } })

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.shareToken)).size).toBe(1)
  expect(answers[0]?.body.shareToken).toMatch(/^[A-Za-z0-9_-]{32}$/)
  expect(other.body.shareToken).not.toBe(answers[0]?.body.shareToken)
})

test('a private collection has no link (sharing-5)', async () => {
  const ada = await app.signIn()
  const id = await make(ada, { isPublic: false })

  expect(await ada.call(shareCollection, { params: { id } })).toMatchObject({
    status: 403,
    body: { message: 'A private collection has no share link.' },
  })
  expect(await app.db`select from share_tokens where target_id = ${id}`).toHaveLength(0)
})

test('deleting a collection deletes its items and its link (sharing-6)', async () => {
  const ada = await app.signIn()
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

test("another listener's collection answers like an unknown one, and does not change", async () => {
  const [ada, bob] = [await app.signIn(), await app.signIn()]
  const [id, genre] = [await make(ada), await makeMicrogenre(app.db, 1)]
  const body = { microgenreId: genre.id }
  for (const params of [{ id }, { id: '999999' }, { id: 'x' }]) {
    const expected = { status: 404, body: params.id === 'x' ? { message: 'Not found.' } : NOT_YOURS }
    expect(await bob.call(addCollectionItem, { params, body })).toMatchObject(expected)
    expect(await bob.call(shareCollection, { params })).toMatchObject(expected)
    expect(await bob.call(deleteCollection, { params })).toMatchObject(expected)
  }
  expect(await itemsOf(id)).toEqual([])
  expect(await app.db`select from collections where id = ${id}`).toHaveLength(1)
})

test('a visitor cannot create, fill, share or delete a collection', async () => {
  const ada = await app.signIn()
  const id = await make(ada)
  const visitor = app.visitor()
  const genre = await makeMicrogenre(app.db, 1)

  expect((await visitor.call(createCollection, { body: { name: 'Mine', isPublic: true } })).status).toBe(401)
  expect(
    (await visitor.call(addCollectionItem, { params: { id }, body: { microgenreId: genre.id } })).status,
  ).toBe(401)
  expect((await visitor.call(shareCollection, { params: { id } })).status).toBe(401)
  expect((await visitor.call(deleteCollection, { params: { id } })).status).toBe(401)
  expect(await app.db`select from collections where id = ${id}`).toHaveLength(1)
})

test('more than 100 collections within an hour is 429 with Retry-After', async () => {
  const ada = await app.signIn()
  await app.db`
    insert into rate_limits (key, count, expires_at)
    values (${`collections:${ada.id}`}, 100, now() + interval '1 hour')`
  const { status, headers } = await ada.call(createCollection, { body: { name: 'One more', isPublic: true } })

  expect(status).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect((await ada.call(listMicrogenres)).status).toBe(200)
})

async function make(listener: Visitor, { isPublic = true } = {}): Promise<string> {
  const { body } = await listener.call(createCollection, { body: { name: 'Made', isPublic } })
  return body.id
}

async function itemsOf(collection: string): Promise<string[]> {
  const rows = await app.db<{ microgenreId: string }[]>`
    select microgenre_id from collection_items where collection_id = ${collection} order by id`
  return rows.map(({ microgenreId }) => microgenreId)
}
