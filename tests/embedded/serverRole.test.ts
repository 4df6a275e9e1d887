import { expect, test } from 'vitest'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/openDatabase.ts'
import { readEnv } from '../../server/env.ts'
import { end, makeDataDir, query, startOwner } from './owners.ts'

test('the server reads and writes rows, also in an older data folder, but neither files nor programs', async () => {
  const dataDir = await makeDataDir()
  const older = await startOwner(dataDir)
  await migrateDatabase(older.status.connection ?? '')
  await query(older, async (sql) => {
    await sql`insert into users (email) values ('kept@example.test')`
    await sql.unsafe('drop role if exists banger_server')
  })
  await end(older.child, 'SIGTERM')

  const { db, background, target, close } = await openDatabase(
    readEnv({ NODE_ENV: 'test', DATA_DIR: dataDir }),
    () => {},
  )
  try {
    await migrateDatabase(target)
    const added = await db`insert into users (email) select 'new@example.test' from users returning id`
    expect(added.count).toBe(1)
    await db`delete from users where email = 'kept@example.test'`
    await db`create temporary table scratch (id integer)`

    for (const pool of [db, background]) {
      for (const statement of [
        `select pg_read_file('/etc/hostname')`,
        `select lo_import('/etc/hostname')`,
        `copy (select 1) to program 'true'`,
        `copy (select 1) to '/tmp/never'`,
        'alter system set fsync = off',
        'create table planted (id integer)',
        'create schema planted',
        'create role planted superuser',
        'alter role current_user superuser',
        'drop table users',
        'set role banger',
        'set session authorization banger',
      ])
        await expect(pool.unsafe(statement), statement).rejects.toMatchObject({ code: '42501' })
    }
  } finally {
    await close()
  }
})
