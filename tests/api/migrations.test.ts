import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connect } from '../../server/db/connection.ts'
import {
  makeMigration,
  migrateDatabase,
  OUTSIDE_TRANSACTION,
  readMigrations,
} from '../../server/db/migrate.ts'
import { listPublicUsers } from '../../server/profiles/listPublicUsers.ts'
import { makeMicrogenre, rateOn } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { withEmptyDatabase } from '../harness/setUpDatabase.ts'
import { withConnection } from '../harness/testCluster.ts'

/* A migration runs beside servers of the previous version, which continue. */

const app = setUpApp()
let databaseCount = 0

/** The migrations of the server, and one more. */
function withOneMore(text: string) {
  const all = readMigrations()
  return [...all, makeMigration((all.at(-1)?.when ?? 0) + ++databaseCount, text)]
}

const migrate = (text: string, onWait?: () => void) =>
  migrateDatabase(app.target, { migrations: withOneMore(text), onWait })

test.each([
  ['of_test', ''],
  ['of_second_test', `${OUTSIDE_TRANSACTION}\n`],
])(
  'ratings go on while a migration of their table (%s) waits for a backup that reads it',
  async (column, comment) => {
    const ada = await app.signIn()
    const genre = await makeMicrogenre(app.db, 50)
    const backup = connect(app.target, { max: 1, settings: { statement_timeout: '0' } })
    let waited = 0
    let isOver = false
    let migrating = Promise.resolve()
    try {
      await backup.begin('isolation level repeatable read read only', async (tx) => {
        await tx`select count(*) as ratings from ratings`
        const text = `${comment}alter table ratings add column if not exists ${column} integer`
        migrating = migrate(text, () => waited++).finally(() => {
          isOver = true
        })
        while (waited < 1 && !isOver) {
          // The deadline of a rating is five seconds. The lock holds it up for two of them.
          expect(await rateOn(ada, genre.id, { most: 1 })).toHaveLength(1)
          await wait(100)
        }
        expect(isOver).toBe(false)
      })
      await migrating
      await app.db`select ${app.db(column)} from ratings limit 1`
      expect(await rateOn(ada, genre.id, { most: 1 })).toHaveLength(1)
    } finally {
      await backup.end()
      await migrating.catch(() => {})
    }
  },
)

test('servers that start together build an index outside of a transaction once, and delete rows in batches', async () => {
  await app.db`create table heap as select generate_series(1, 1000) as number`
  const text = `${OUTSIDE_TRANSACTION}
drop index concurrently if exists heap_number;--> statement-breakpoint
create index concurrently heap_number on heap (number);--> statement-breakpoint
do $$ begin
  loop
    delete from heap where number in (select number from heap where number > 10 limit 100);
    exit when not found;
    commit;
  end loop;
end $$`
  const migrations = withOneMore(text)
  const start = () => migrateDatabase(app.target, { migrations })
  await Promise.all([start(), start(), start()])

  const [row] = await app.db<{ rows: number; valid: boolean }[]>`
    select (select count(*)::int from heap) as rows, i.indisvalid as valid
    from pg_index i where i.indexrelid = 'heap_number'::regclass`
  expect(row).toEqual({ rows: 10, valid: true })
  expect(
    await app.db`select from drizzle.__drizzle_migrations where hash = ${migrations.at(-1)?.hash ?? ''}`,
  ).toHaveLength(1)
})

test('names that an earlier version has written are composed, and found as they are typed', async () => {
  await withEmptyDatabase(async (target) => {
    const all = readMigrations()
    await migrateDatabase(target, { migrations: all.slice(0, 2), functions: null })
    await withConnection(target, async (db) => {
      await db`
        insert into users (first_name, bio, is_public) values (${'Dvor\u030Ca\u0301k'}, ${'\u0958'.repeat(280)}, true)`
      await migrateDatabase(target)
      const [old] = await db<{ firstName: string; bio: number }[]>`
        select first_name, char_length(bio)::int as bio from users`
      expect(old).toEqual({ firstName: 'Dvořák', bio: 280 })
      // The previous version continues beside it.
      await db`insert into users (first_name, is_public) values ('Żółw', true)`
      const searchNames = async (search: string) =>
        (await listPublicUsers(db, '0', { search, limit: 9 })).map(({ firstName }) => firstName)
      expect([await searchNames('dvorak'), await searchNames('ŻOLW'), await searchNames('zol')]).toEqual([
        ['Dvořák'],
        ['Żółw'],
        ['Żółw'],
      ])
      await db`update users set first_name = 'Anna' where first_name = 'Żółw'`
      expect([await searchNames('zolw'), await searchNames('ANNA')]).toEqual([[], ['Anna']])
    })
  })
})

test('a migration that fails changes nothing, and the next start tries again', async () => {
  const fails = 'create table half (it integer); select 1 / 0'
  await expect(migrate(fails)).rejects.toThrow('division by zero')

  expect([...(await app.db`select to_regclass('half')::text as half`)]).toEqual([{ half: null }])
  await migrate(fails.replace('/ 0', '/ 1'))
  expect([...(await app.db`select to_regclass('half')::text as half`)]).toEqual([{ half: 'half' }])
})
