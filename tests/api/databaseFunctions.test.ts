import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '../../server/db/connection.ts'
import { dropUnusedFunctions, FUNCTIONS, makeFunctionSet, readFunctions } from '../../server/db/functions.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { makeListener, makeMicrogenre } from '../factories.ts'
import { createTestDatabase, withEmptyDatabase } from '../harness/setUpDatabase.ts'

/* Functions are files. Each version of the server has its own in a schema of the database. */

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

/** Other functions: this one has another text. */
const withText = (name: string, text: string) => makeFunctionSet(new Map([...readFunctions(), [name, text]]))

const other = withText('song_at_place', `${readFunctions().get('song_at_place')}-- changed`)

test('each version has a schema with its functions, which a second start leaves as it is', async () => {
  const before = await functionsIn(database.db, FUNCTIONS.schema)
  await Promise.all([start(other), start(FUNCTIONS), start(other), start(FUNCTIONS)])

  expect(await functionsIn(database.db, FUNCTIONS.schema)).toEqual(before)
  expect(Object.keys(before).sort()).toEqual([...FUNCTIONS.texts.keys()].sort())
  expect(Object.keys(await functionsIn(database.db, other.schema))).toEqual(Object.keys(before))
  expect(await schemasIn(database.db)).toEqual([FUNCTIONS.schema, other.schema].sort())
})

test('a schema that no server has used for seven days is dropped, and no other', async () => {
  const { db } = database
  await start(other)
  await db.unsafe(
    `create schema functions_of_the_operator; comment on schema functions_of_the_operator is 'used 1'`,
  )
  await dropUnusedFunctions(db)
  expect(await schemasIn(db)).toContain(other.schema)

  const eightDaysAgo = Math.floor(Date.now() / 1000) - 8 * 86_400
  for (const { schema } of [other, FUNCTIONS])
    await db.unsafe(`comment on schema ${schema} is 'used ${eightDaysAgo}'`)
  await dropUnusedFunctions(db)

  expect(await schemasIn(db)).toEqual([FUNCTIONS.schema, 'functions_of_the_operator'].sort())
  const genre = await makeMicrogenre(db, 2)
  const [row] = await db.unsafe<{ songId: string }[]>(
    `select song_id from ${FUNCTIONS.schema}.next_songs(${await makeListener(db)}, ${genre.id}, 1)`,
  )
  expect(genre.songs).toContain(row?.songId)
})

test('when a function cannot be created, the error names it and the other functions are as before', async () => {
  const broken = withText('rating_time', 'CREATE FUNCTION functions.rating_time(')
  await expect(start(broken)).rejects.toThrow(
    /^The database function rating_time cannot be created: syntax error/,
  )

  expect(await schemasIn(database.db)).toEqual([FUNCTIONS.schema])
})

test('a role that owns its database may do all that a start does', async () => {
  await withEmptyDatabase(async (target) => {
    const db = connect(target, { max: 1 })
    const role = `owner_${process.pid}_${Date.now()}`
    const [{ name } = { name: '' }] = await db<{ name: string }[]>`select current_database() as name`
    await db.unsafe(
      `create role ${role}; alter database ${name} owner to ${role}; alter database ${name} set role = ${role}`,
    )
    try {
      await migrateDatabase(target)
      expect(await schemasIn(db)).toEqual([FUNCTIONS.schema])
    } finally {
      await db.unsafe(`reset role; alter database ${name} reset role; reassign owned by ${role} to current_user;
        drop owned by ${role}; drop role ${role}`)
      await db.end({ timeout: 5 })
    }
  })
})

test('PostgreSQL accepts the body of every function on its own', async () => {
  await database.db.begin(async (tx) => {
    for (const text of FUNCTIONS.texts.values())
      await tx.unsafe(text.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'))
  })
})

const start = (functions: typeof FUNCTIONS) => migrateDatabase(database.target, { functions })

async function functionsIn(db: Database, schema: string): Promise<Record<string, string>> {
  const rows = await db<{ name: string; row: string }[]>`
    select proname as name, xmin::text || ' ' || oid as row from pg_proc where pronamespace = ${schema}::regnamespace
    order by 1`
  return Object.fromEntries(rows.map(({ name, row }) => [name, row]))
}

async function schemasIn(db: Database): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname like 'functions_%' order by 1`
  return rows.map(({ name }) => name)
}
