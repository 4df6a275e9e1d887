import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '../../server/db/connection.ts'
import { type FunctionSet, readFunctions } from '../../server/db/functions.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { createTestDatabase, withEmptyDatabase } from '../harness/setUpDatabase.ts'

/* Functions are files. Servers of different versions start on the same database in any order. */

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const here = readFunctions()

test('a start replaces the functions whose text changed, and no others', async () => {
  const before = await functionsIn(database.db)
  const changed = withText(here, {
    song_at_place: textOf('song_at_place').replace('ELSE place', 'ELSE place + 0'),
  })
  await start({ ...changed, revision: here.revision + 1 })
  const after = await functionsIn(database.db)

  expect(Object.keys(after).sort()).toEqual([...here.texts.keys()].sort())
  expect(after.song_at_place?.source).toContain('ELSE place + 0')
  // A function that was not replaced has the same row.
  expect({ ...after, song_at_place: null }).toEqual({ ...before, song_at_place: null })
})

test("a changed text is applied before its revision is raised, as on its author's machine", async () => {
  const [draft, final] = ['1', '2'].map((n) =>
    withText(here, {
      song_at_place: textOf('song_at_place').replace('ELSE place', `ELSE place + ${n} - ${n}`),
    }),
  )
  for (const set of [draft, final, here]) {
    await start(set as FunctionSet)
    expect(textOf('song_at_place', set)).toContain((await functionsIn(database.db)).song_at_place?.source)
  }
})

test('an older server that starts beside a newer one changes no function, and works', async () => {
  const newer = withText(
    { ...here, revision: here.revision + 1 },
    {
      // For example a faster one, or one for changed tables.
      unrated_songs_v2: `-- newer\n${textOf('unrated_songs_v2').replace('found integer := 0', 'found integer := 0 + 0')}`,
      rate_song_v6: textOf('rate_song_v5').replace('rate_song_v5', 'rate_song_v6'),
      // The previous version does not call it any more.
      rating_figures_v1: null,
    },
  )
  await Promise.all([start(here), start(newer), start(here), start(newer)])
  const after = await functionsIn(database.db)
  await start(here)

  expect(await functionsIn(database.db)).toEqual(after)
  expect(Object.keys(after)).toContain('rate_song_v6')
  expect(Object.keys(after)).not.toContain('rating_figures_v1')
  expect(after.unrated_songs_v2?.source).toContain('0 + 0')
  const [row] = await database.db`select outcome from rate_song_v4(1, 1, 1, true, null, null)`
  expect(row).toHaveProperty('outcome')
})

test("a start drops functions whose files are gone, but not the operator's functions", async () => {
  await database.db.unsafe(`create function of_the_operator() returns int language sql as 'select 1'`)
  await start(
    withText({ ...here, revision: here.revision + 1 }, { rating_figures_v1: null, songs_of_pass_v1: null }),
  )

  const names = Object.keys(await functionsIn(database.db))
  expect(names).not.toContain('rating_figures_v1')
  expect(names).not.toContain('songs_of_pass_v1')
  expect(names).toContain('of_the_operator')
})

test('new arguments under the same name are an error, because old servers still call the old ones', async () => {
  const before = await functionsIn(database.db)
  const other = textOf('fold_changes_v1').replace('batch integer', 'batch bigint')
  await expect(start(withText({ ...here, revision: 99 }, { fold_changes_v1: other }))).rejects.toThrow(
    /^The database function fold_changes_v1 cannot be changed: .*not unique/,
  )

  expect(await functionsIn(database.db)).toEqual(before)
})

test('when a function cannot be created, no table is created either', async () => {
  await withEmptyDatabase(async (target) => {
    const broken = withText(here, { rating_time_v1: 'create function rating_time_v1(' })
    await expect(migrateDatabase(target, { functions: broken })).rejects.toThrow(
      /^The database function rating_time_v1 cannot be changed: syntax error/,
    )
    const db = connect(target, { max: 1 })
    expect([...(await db`select to_regclass('users') as users`)]).toEqual([{ users: null }])
    await db.end({ timeout: 5 })
  })
})

test('a role without the right to change functions starts if nothing changed, else the error says what is missing', async () => {
  const { db } = database
  const role = `reader_${process.pid}_${Date.now()}`
  await db.unsafe(`create role ${role}; grant usage on schema drizzle to ${role};
    grant select on all tables in schema drizzle to ${role}`)
  const [{ name } = { name: '' }] = await db<{ name: string }[]>`select current_database() as name`
  await db`alter database ${db(name)} set role = ${db(role)}`
  try {
    await start(here)
    const text = `-- changed\n${textOf('song_at_place')}`
    await expect(start(withText({ ...here, revision: 99 }, { song_at_place: text }))).rejects.toThrow(
      /^The database function \w+ cannot be changed: must be owner/,
    )
  } finally {
    await db.unsafe(`drop owned by ${role}; drop role ${role}`)
  }
})

test('PostgreSQL accepts the body of every function on its own', async () => {
  await database.db.begin(async (tx) => {
    for (const text of here.texts.values()) await tx.unsafe(text)
  })
})

const start = (functions: FunctionSet) => migrateDatabase(database.target, { functions })

function textOf(name: string, { texts }: FunctionSet = here): string {
  return texts.get(name) ?? ''
}

/** Null removes a function. */
function withText(set: FunctionSet, texts: Record<string, string | null>): FunctionSet {
  const changed = new Map<string, string | null>([...set.texts, ...Object.entries(texts)])
  return { ...set, texts: new Map([...changed].filter((each): each is [string, string] => each[1] !== null)) }
}

async function functionsIn(db: Database): Promise<Record<string, { source: string; row: string }>> {
  const rows = await db<{ name: string; source: string; row: string }[]>`
    select proname as name, prosrc as source, xmin::text || ' ' || oid as row from pg_proc
    where pronamespace = 'public'::regnamespace`
  return Object.fromEntries(rows.map(({ name, source, row }) => [name, { source, row }]))
}
