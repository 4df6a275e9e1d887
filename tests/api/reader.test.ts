import { expect, test } from 'vitest'
import { createCollection, shareCollection } from '../../contract/collections.ts'
import { getCommunityStats } from '../../contract/community.ts'
import { getCollectionPreview, getSharedCollection } from '../../contract/sharing.ts'
import { connect } from '../../server/db/connection.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { warmUpPictures } from '../harness/multipart.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { pathOf } from '../harness/visitor.ts'

const app = setUpApp()
/** Stands in for a replica: a database with other numbers, so that tests see which one answered. */
const other = setUpDatabase()

test('community figures come from the replica, and from the primary while the replica is down', async () => {
  await app.db`update community_totals set ratings = 11`
  await other.db`update community_totals set ratings = 22`
  const line = await startDatabaseProxy(other.target)
  try {
    const reading = await app.another({ DATABASE_READ_URL: line.target })
    const listener = await reading.signIn()
    const ratings = async () => (await listener.call(getCommunityStats)).body.totalRatings
    await expect.poll(ratings).toBe(22)

    await line.cut()
    // Without a single failure.
    for (let n = 0; n < 20; n++) expect(await ratings()).toBe(11)
    await line.restore()
    await expect.poll(ratings).toBe(22)

    line.freeze()
    for (let n = 0; n < 3; n++) expect(await ratings()).toBe(11)
  } finally {
    await line.close()
  }
})

test('a link that is not on the replica yet has a document and a picture; the primary counts the view (sharing-13)', async () => {
  const line = await startDatabaseProxy(other.target)
  try {
    const reading = await app.another({ DATABASE_READ_URL: line.target })
    const listener = await reading.signIn()
    const made = await listener.call(createCollection, { body: { name: 'Just made', isPublic: true } })
    const { body } = await listener.call(shareCollection, { params: { id: made.body.id } })
    await expect.poll(async () => (await listener.call(getCommunityStats)).body.totalRatings).toBe(22)

    await warmUpPictures(listener)
    const params = { shareToken: body.shareToken }
    const picture = await reading.visitor().raw(pathOf(getCollectionPreview, { params }))
    expect(picture.status).toBe(200)
    const seen = await reading.visitor().call(getSharedCollection, { params })
    expect(seen.body).toMatchObject({ name: 'Just made', viewCount: 1 })
  } finally {
    await line.close()
  }
})

test('a connection to a frozen server is closed and replaced', async () => {
  const line = await startDatabaseProxy(app.target)
  const db = connect(line.target, { max: 2, responseTimeout: 400 })
  try {
    await db`select 1`
    line.freeze()
    await expect(Promise.all([db`select 1`, db`select 2`])).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await line.restore()
    await expect
      .poll(() =>
        db`select 3 as n`.then(
          ([row]) => row?.n,
          () => null,
        ),
      )
      .toBe(3)
  } finally {
    await db.end({ timeout: 1 })
    await line.close()
  }
})
