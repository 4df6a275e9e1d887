import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { updateProfile } from '../../contract/profiles.ts'
import { loadBackup } from '../../server/backups/loadBackup.ts'
import { writeBackup } from '../../server/backups/writeBackup.ts'
import type { ConnectionTarget, Database } from '../../server/db/connection.ts'
import { makeMicrogenre, nextSong, rate, rateOn } from '../factories.ts'
import { setUpApp, startApp } from '../harness/setUpApp.ts'
import { expectRecount, withEmptyDatabase } from '../harness/setUpDatabase.ts'
import { setUpFolder, setUpService } from '../harness/setUpService.ts'
import { withConnection } from '../harness/testCluster.ts'

const app = setUpApp()
const folder = setUpFolder()

test('a backup taken during ratings contains every rating acknowledged before it, and totals equal a recount', async () => {
  const genre = await makeMicrogenre(app.db, 400)
  const listeners = await Promise.all([app.signIn(), app.signIn(), app.signIn()])
  const acknowledged: string[] = []
  let over = false
  const rating = listeners.map(async (listener) => {
    for (let song = await nextSong(listener, genre.id); song && !over; ) {
      const { status, body } = await rate(listener, genre.id, song.id)
      if (status === 200) acknowledged.push(`${listener.id} ${song.id}`)
      song = body.nextSong
    }
  })
  await expect.poll(() => acknowledged.length).toBeGreaterThan(60)
  const before = [...acknowledged]
  const file = path.join(folder, 'under-load.backup')
  await writeBackup(app.db, file)
  over = true
  await Promise.all(rating)

  await withRestored(file, async (restored) => {
    const rows = await restored<{ userId: string; songId: string }[]>`
      select user_id, song_id from ratings where microgenre_id = ${genre.id}`
    const restoredRatings = rows.map(({ userId, songId }) => `${userId} ${songId}`)
    expect(restoredRatings).toEqual(expect.arrayContaining(before))
    expect(acknowledged).toEqual(expect.arrayContaining(restoredRatings))
    await expectRecount(restored)
  })
})

test('restore brings back every row of every table unchanged, whatever its texts contain', async () => {
  const ada = await app.signIn()
  const bio = 'A tab\t, a "quote", a \\ and \\N,\na line, one \u2028 for JavaScript, \\. and 🎧'
  await ada.call(updateProfile, { body: { bio, isPublic: true } })
  await rateOn(ada, (await makeMicrogenre(app.db, 5)).id)
  const file = path.join(folder, 'texts.backup')
  await writeBackup(app.db, file)
  // Limits start anew, because their counters are unlogged.
  const tables = (await tableNames(app.db)).filter((table) => table !== 'limit_counters')

  await withRestored(file, async (restored, target) => {
    expect(await tableNames(restored)).toEqual(await tableNames(app.db))
    for (const table of tables)
      expect([table, await rowsOf(restored, table)]).toEqual([table, await rowsOf(app.db, table)])
    // New rows get ids that were never used before.
    const { app: secondApp, close } = await startApp(target)
    const bob = await secondApp.signIn('bob-after-restore@example.test').finally(close)
    expect(Number(bob.id)).toBeGreaterThan(Number(ada.id))
  })
})

test('the backup is readable by its owner only, and never overwrites a file', async () => {
  const file = path.join(folder, 'twice.backup')
  await writeBackup(app.db, file)
  const first = await readFile(file)

  await expect(writeBackup(app.db, file)).rejects.toThrow('already exists')
  expect(await readFile(file)).toEqual(first)
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
})

const fullBackup = setUpService(async () => {
  const file = path.join(folder, 'whole.backup')
  await writeBackup(app.db, file)
  return { bytes: await readFile(file) }
})

test.each([
  ['that is truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 500), /truncated/],
  ['without its last line', (bytes: Buffer) => replaceBytes(bytes, /-- end of backup\n$/, ''), /truncated/],
  [
    'with a missing row',
    (bytes: Buffer) => replaceBytes(bytes, /-- (\d+) rows\n/, '-- 99999 rows\n'),
    /damaged/,
  ],
  [
    'with a row that is no row',
    (bytes: Buffer) => replaceBytes(bytes, /(COPY "?songs"? [^\n]*\n)\d+/i, '$1many'),
    /^The backup is damaged: songs does not fit \(row 1, column \w+\)\.$/,
  ],
  [
    'with a header of another program',
    (bytes: Buffer) => replaceBytes(bytes, '-- {', '-- <'),
    /is damaged\.$/,
  ],
  [
    'with a foreign SQL statement',
    (bytes: Buffer) => replaceBytes(bytes, '-- end', 'drop table users;\n-- end'),
    /unexpected line/,
  ],
  [
    'of a newer version',
    (bytes: Buffer) => replaceBytes(bytes, /"hash":"\w{8}/, '"hash":"00000000'),
    /newer version/,
  ],
  ['in another format', () => gzipSync('hello\n'), /not a backup of Banger or Bust/],
  ['that is not compressed', () => Buffer.from('hello\n'), /not a backup of Banger or Bust/],
])('a file %s is rejected and leaves no rows', async (_, damage, refusal) => {
  const file = path.join(folder, 'damaged.backup')
  await writeFile(file, damage(fullBackup.bytes))

  await withEmptyDatabase(async (target) => {
    await expect(loadBackup(file, target)).rejects.toThrow(refusal)
    await withConnection(target, async (db) => {
      const [restoredRatings] =
        await db`select from pg_class where relname = 'users' and relnamespace = 'public'::regnamespace`
      if (restoredRatings) expect(await db`select from users`).toHaveLength(0)
    })
  })
})

function replaceBytes(bytes: Buffer, what: string | RegExp, to: string): Buffer {
  return gzipSync(gunzipSync(bytes).toString().replace(what, to))
}

async function withRestored(
  file: string,
  use: (db: Database, target: ConnectionTarget) => Promise<void>,
): Promise<void> {
  await withEmptyDatabase(async (target) => {
    await loadBackup(file, target)
    await withConnection(target, (db) => use(db, target))
  })
}

async function tableNames(db: Database): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`
  return rows.map(({ name }) => name)
}

const rowsOf = (db: Database, table: string) =>
  db`select t::text as row from ${db(table)} t order by 1`.values()
