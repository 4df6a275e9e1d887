import { describe, expect, test } from 'vitest'
import { createCollection, shareCollection } from '../../contract/collections.ts'
import { getCommunityStats } from '../../contract/community.ts'
import { getSharedCollection, getSharePreview } from '../../contract/sharing.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { warmUpPictures } from '../harness/multipart.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { withConnection } from '../harness/testCluster.ts'
import { pathOf } from '../harness/visitor.ts'

/* What callers may expect of `db`: how values are converted, and what still works after a failure. */

const database = setUpDatabase()

/** One connection, so that tests can tell whether it is reused. */
const withOne = (use: (db: Database) => Promise<void>) => withConnection(database.target, use)

const backendOf = async (db: Database) =>
  (await db<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid

test.each([
  ['9223372036854775807::bigint', '9223372036854775807'],
  ["'{1,NULL,9223372036854775807}'::bigint[]", ['1', null, '9223372036854775807']],
  ['32767::smallint', 32767],
  ['-7::integer', -7],
  [
    "'{{1,2},{3,4}}'::integer[]",
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['0.1::real', 0.1],
  ['1e300::double precision', 1e300],
  ["'NaN'::double precision", Number.NaN],
  ['12.340::numeric', '12.340'],
  ["'{1.50}'::numeric[]", ['1.50']],
  ['true', true],
  ["'{t,f,NULL}'::boolean[]", [true, false, null]],
  ["'text'", 'text'],
  ["array['a,b', 'c\"d', 'e\\f', '', 'NULL', null]", ['a,b', 'c"d', 'e\\f', '', 'NULL', null]],
  ["'{}'::text[]", []],
  ["'name'::name", 'name'],
  ["'{one,two}'::name[]", ['one', 'two']],
  ["'\\xdeadbeef'::bytea", Buffer.from('deadbeef', 'hex')],
  ['\'{"a": [1, null]}\'::jsonb', { a: [1, null] }],
  ["'[1, 2]'::json", [1, 2]],
  ["'null'::jsonb", null],
  ["'2026-11-21 17:29:00.123456+02'::timestamptz", new Date('2026-11-21T15:29:00.123Z')],
  ["'2026-11-21'::date", new Date('2026-11-21T00:00:00Z')],
  ["'infinity'::timestamptz", new Date(Number.NaN)],
  ["'{2026-11-21 15:29:00+00}'::timestamptz[]", [new Date('2026-11-21T15:29:00Z')]],
  ["'1 day 02:03:04'::interval", '1 day 02:03:04'],
  ["'17:29:00'::time", '17:29:00'],
  ["'6f0c1c5e-3f0e-4f0a-9f0e-000000000000'::uuid", '6f0c1c5e-3f0e-4f0a-9f0e-000000000000'],
  ['null::integer', null],
])('%s arrives unchanged', async (expression, value) => {
  const [row] = await database.db.unsafe(`select ${expression} as it`)

  expect(row).toEqual({ it: value })
})

test('parameters of every type arrive unchanged', async () => {
  const { db } = database
  const at = new Date('2026-11-21T15:29:00.123Z')
  const [row] = await db`
    select ${'a\'b"c\\'} as text, ${42}::int as number, ${9007199254740993n} as big_number, ${true} as yes,
      ${null}::text as nothing, ${at} as moment, ${Buffer.from([0, 255])} as bytes,
      ${['a,b', 'c"d', null]}::text[] as texts, ${[1, 2]}::bigint[] as numbers,
      ${db.json([{ a: null }, 'b'])}::jsonb as list, jsonb_build_object('is', ${false}) as inside`

  expect(row).toEqual({
    text: 'a\'b"c\\',
    number: 42,
    bigNumber: '9007199254740993',
    yes: true,
    nothing: null,
    moment: at,
    bytes: Buffer.from([0, 255]),
    texts: ['a,b', 'c"d', null],
    numbers: ['1', '2'],
    list: [{ a: null }, 'b'],
    inside: { is: false },
  })
})

test('an undefined parameter throws before anything is sent', async () => {
  const nothing = undefined as unknown as null
  await expect((async () => database.db`select ${nothing} as it`)()).rejects.toThrow(TypeError)
})

test('statements are composed of fragments and quoted identifiers', async () => {
  const { db } = database
  const isSmall = db`i < ${3}`
  const rows = await db`
    select ${db('t.i')} as ${db('odd "name"')} from generate_series(1, ${9}) as t(i)
    where ${isSmall} ${db`and i > ${1}`} ${db``}`

  expect([...rows]).toEqual([{ 'odd "name"': 2 }])
  expect(rows.count).toBe(1)
  expect(await db`select 1, 'a' as a union all select 2, 'b' order by 1`.values()).toEqual([
    [1, 'a'],
    [2, 'b'],
  ])
})

test('a failed statement leaves its connection usable, and the next statement in the queue runs', async () => {
  await withOne(async (db) => {
    const pid = await backendOf(db)
    const failing = db`select 1 / (5 - i) as it from generate_series(1, 9) i`
    const following = db`select 7 as it`

    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect([...(await following)]).toEqual([{ it: 7 }])
    expect(await backendOf(db)).toBe(pid)
  })
})

test('a transaction commits or rolls back as a whole, also when the caller ignores an error in it', async () => {
  await withOne(async (db) => {
    await db`create temporary table kept (it integer unique)`
    const count = async () => (await db`select count(*)::int as it from kept`)[0]?.it
    await db.begin(async (tx) => {
      await tx`insert into kept values (1)`
      await tx`insert into kept values (2)`
    })
    expect(await count()).toBe(2)

    const mistake = new Error('of the caller')
    const thrown = db.begin(async (tx) => {
      await tx`insert into kept values (3)`
      throw mistake
    })
    await expect(thrown).rejects.toBe(mistake)
    const handledFailure = db.begin(async (tx) => {
      await tx`insert into kept values (4)`
      await tx`insert into kept values (1)`.catch(() => {})
    })
    await expect(handledFailure).rejects.toThrow(/rolled back/)
    expect(await count()).toBe(2)
  })
})

test('concurrent statements of a transaction run one after the other; statements after its end are rejected', async () => {
  await withOne(async (db) => {
    let late: () => PromiseLike<unknown> = async () => {}
    const rows = await db.begin('isolation level repeatable read read only', async (tx) => {
      late = () => tx`select 1`
      return Promise.all([1, 2, 3].map((n) => tx`select ${n}::int as it, pg_sleep(0.01)::text as slept`))
    })

    expect(rows.map(([row]) => row?.it)).toEqual([1, 2, 3])
    await expect((async () => late())()).rejects.toThrow('The transaction has ended.')
  })
})

test('a prepared statement runs after its table has changed', async () => {
  await withOne(async (db) => {
    await db`create temporary table changing (a integer)`
    await db`insert into changing values (1)`
    const read = () => db`select * from changing`
    expect([...(await read())]).toEqual([{ a: 1 }])
    await db`alter table changing add column b integer default 2`

    expect([...(await read())]).toEqual([{ a: 1, b: 2 }])
  })
})

test('of several hosts, the one with the requested role is used, also for new connections', async () => {
  const [dead, readOnly, good] = [
    await startDatabaseProxy(database.target),
    await startDatabaseProxy(database.target),
    await startDatabaseProxy(database.target),
  ]
  await dead.cut()
  const hosts = [dead, readOnly, good].map(({ target }) => new URL(target).host)
  const only = 'default_transaction_read_only%3Don'
  const address = (role: string) =>
    `${good.target.replace(new URL(good.target).host, hosts.join(','))}&target_session_attrs=${role}`
  const db = connect(address('read-write'), { max: 2 })
  try {
    expect(await Promise.all([1, 2, 3].map((n) => db`select ${n}::int as it`))).toHaveLength(3)
    const none = connect(`${address('read-write')}&options=-c%20${only}`, { max: 1 })
    await expect((async () => none`select 1`)()).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await none.end({ timeout: 1 })
  } finally {
    await db.end({ timeout: 1 })
    for (const line of [readOnly, good]) await line.close()
  }
})

test('a statement that times out waiting for a connection is never sent', async () => {
  await withOne(async (db) => {
    await db`create temporary table kept (it integer)`
    const busy = db`select pg_sleep(4.8)`.then(() => {})
    const waiting = (async () => db`insert into kept values (1)`)()

    await expect(waiting).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
    await busy
    expect([...(await db`select it from kept`)]).toEqual([])
  })
})

test.each([
  ['statement', (db: Database) => db`select 1`.then(() => {})],
  ['transaction', (db: Database) => db.begin(async (tx) => void (await tx`select 1`))],
])('a connection reset during its first %s fails only that one', async (_, send) => {
  const line = await startDatabaseProxy(database.target)
  try {
    for (let n = 0; n < 20; n++) {
      const db = connect(line.target, { max: 1 })
      line.resetNextAtFirstStatement()
      await expect(send(db)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
      await send(db)
      await db.end({ timeout: 1 })
    }
  } finally {
    await line.close()
  }
})

describe('a replica', () => {
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
      const collection = await listener.call(createCollection, {
        body: { name: 'Just made', isPublic: true },
      })
      const { body } = await listener.call(shareCollection, { params: { id: collection.body.id } })
      await expect.poll(async () => (await listener.call(getCommunityStats)).body.totalRatings).toBe(22)

      await warmUpPictures(listener)
      const params = { shareToken: body.shareToken }
      const picture = await reading
        .visitor()
        .raw(pathOf(getSharePreview, { params: { ...params, kind: 'collection' } }))
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
      await expect(Promise.all([db`select 1`, db`select 2`])).rejects.toMatchObject({
        code: 'CONNECTION_LOST',
      })
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
})
