// The sign-in would load them, on a busy machine for longer than its deadline.
import '@simplewebauthn/server'
import '@simplewebauthn/server/helpers'
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { listCollections } from '../../contract/collections.ts'
import { getPasskeyChallenge, signInWithPasskey } from '../../contract/passkeys.ts'
import { getFollowStatus, getMyStats } from '../../contract/profiles.ts'
import { COPY_PATTERN, copyLine, copyOutStatement, END_OF_ROWS } from '../../server/backups/format.ts'
import { loadBackup, readHeader } from '../../server/backups/loadBackup.ts'
import type { ConnectionTarget, Database } from '../../server/db/connection.ts'
import { migrateDatabase, readMigrations } from '../../server/db/migrate.ts'
import { findMicrogenre, rateOn } from '../factories.ts'
import { makePasskey } from '../harness/passkeys.ts'
import { startApp } from '../harness/setUpApp.ts'
import { expectRecount, withEmptyDatabase } from '../harness/setUpDatabase.ts'
import { tableContents } from '../harness/tableContents.ts'
import { SIZES } from '../harness/testCatalogue.ts'
import { withConnection } from '../harness/testCluster.ts'

/*
 * A backup of the last 0.1, written by its own server with the test catalogue after these calls: Ada rated 4 songs of
 * Footwork as bangers, 7 of Zydeco as busts and all 5 of Dub Techno as bangers, began the next pass there and rated 2
 * again, as busts. She put off a song of Footwork. The roll-up ran. Bob rated 6 songs of Zydeco as bangers. Eve rated 3
 * songs of Footwork as busts and removed the first. Bob follows Ada, who shares a collection and sent feedback. She has
 * a photo and this passkey.
 */
const FILE = path.join(import.meta.dirname, 'adoption', '0.1.backup')
const PASSKEY = {
  id: 'JaRMlxz6g0Xd0xmDFHyCuJu9n1HMz2ikoIPrgyaJERg',
  userHandle: '_e5DDUC9V97qwYbNl5ADPQ8G-QmogG585ucXq3x9UCk',
  privateKey:
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeJAUgczp3KCLAe0oPVLb7UOs85VPLPypzKzF303aSQehRANCAARmG-aX6Qh9f1WUPusEBQxTMhcAtwdGCEs34g-7zw1U-ipdv5ZHpNchuzvaekSPnUMXjZ7EOzjBknWgVHu0-Uzh',
}

test('a backup of 0.1 is restored row by row, and its listeners continue', async () => {
  await withDatabase(async (target, db) => {
    await loadBackup(FILE, target)
    const written = rowsOf(FILE)
    expect(written.get('"ratings"')?.rows).toHaveLength(24)
    for (const [table, { columns, rows }] of written)
      expect([table, await copyOf(db, table, columns)]).toEqual([table, rows])

    const { app, close } = await startApp(target)
    try {
      await expectRecount(db)
      const site = app.url.replace('127.0.0.1', 'localhost')
      const passkey = makePasskey(site, {
        id: Buffer.from(PASSKEY.id, 'base64url'),
        userHandle: Buffer.from(PASSKEY.userHandle, 'base64url'),
        privateKey: createPrivateKey({
          key: Buffer.from(PASSKEY.privateKey, 'base64url'),
          format: 'der',
          type: 'pkcs8',
        }),
      })
      const ada = app.visitor()
      const { body: challenge } = await ada.call(getPasskeyChallenge)
      const signedIn = await ada.call(signInWithPasskey, { body: passkey.signIn(challenge, { counter: 8 }) })
      expect(signedIn.status).toBe(200)
      const { body: user } = await ada.call(getCurrentUser)
      expect(user).toMatchObject({
        firstName: 'Ada',
        bio: 'Tabs\tand lines\nand 🎧',
        followerCount: 1,
      })
      expect((await ada.call(getMyStats)).body).toMatchObject({ totalRatings: 16, totalBangers: 7 })
      expect((await ada.call(listCollections)).body).toMatchObject([
        { name: 'Small rooms', items: [{ name: 'Footwork' }] },
      ])
      const bob = await app.signIn('bob@example.test')
      const { body } = await bob.call(getFollowStatus, { params: { id: user.id } })
      expect(body).toMatchObject({ isFollowing: true })

      // Each pass continues with its remaining songs, once each.
      const rated = { footwork: 4, zydeco: 7, 'dub-techno': 2, 'bossa-nova': 0 }
      for (const [key, done] of Object.entries(rated) as [keyof typeof rated, number][]) {
        const heard = await rateOn(ada, (await findMicrogenre(db, key)).id)
        expect([key, heard.length, new Set(heard).size]).toEqual([key, SIZES[key] - done, SIZES[key] - done])
      }
      await expectRecount(db)
    } finally {
      await close()
    }
  })
})

test('a start adopts a database at the last migration of 0.1, with its rows and without its functions', async () => {
  await withDatabase(async (target, db) => {
    await restoreOldBackup(db)
    await db.unsafe(`
      create function rate_song_v5() returns int language sql return 1;
      create function of_the_operator() returns int language sql return 1;
      comment on function rate_song_v5 is 'Banger or Bust: revision 13, sha256 33f0'`)
    const before = await tableContents(db)
    await Promise.all([migrateDatabase(target), migrateDatabase(target)])

    expect(await listOf(db)).toEqual(readMigrations().map(({ hash, when }) => [hash, String(when)]))
    expect(withColumnsOf(before, await tableContents(db))).toEqual(withColumnsOf(before, before))
    const functions = await db`
      select proname from pg_proc
      where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`.values()
    expect(functions).toEqual([['of_the_operator']])
  })
})

test('a database of another old version is refused, says what to do, and is not changed', async () => {
  await withDatabase(async (target, db) => {
    await restoreOldBackup(db)
    await db`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`
    const [list, before] = [await listOf(db), await tableContents(db)]

    await expect(migrateDatabase(target)).rejects.toThrow(
      /before the last 0\.1.*Nothing was changed\. Start the last 0\.1 on it once/,
    )
    expect([await listOf(db), await tableContents(db)]).toEqual([list, before])
    const schemas = await db`select nspname from pg_namespace where nspname like 'functions_%'`
    expect(schemas).toHaveLength(0)
  })
})

/** The rows without the columns that migrations have added. */
function withColumnsOf(before: Record<string, string[]>, contents: Record<string, string[]>) {
  return Object.entries(contents).map(([table, rows]) => {
    const columns = Object.keys(JSON.parse(before[table]?.[0] ?? '{}'))
    return [table, rows.map((row) => JSON.stringify(JSON.parse(row), columns.sort())).sort()]
  })
}

/** The tables and rows of the backup, and the list of migrations that its server had. */
async function restoreOldBackup(db: Database): Promise<void> {
  const { migrations } = await readHeader(FILE)
  const [baseline] = readMigrations()
  await db.begin(async (tx) => {
    await tx.unsafe(`${baseline?.statements.join(';')}; truncate community_totals; create schema drizzle;
      create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`)
    for (const [table, { columns, rows }] of rowsOf(FILE))
      await tx.copyIn(copyLine(table.slice(1, -1), columns), [
        Buffer.from(rows.map((row) => `${row}\n`).join('')),
      ])
    for (const { hash, createdAt } of migrations)
      await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${createdAt})`
  })
}

const listOf = (db: Database) =>
  db`select hash, created_at from drizzle.__drizzle_migrations order by created_at`.values()

const withDatabase = (use: (target: ConnectionTarget, db: Database) => Promise<void>): Promise<void> =>
  withEmptyDatabase((target) => withConnection(target, (db) => use(target, db)))

/** The rows of each table in a backup, as PostgreSQL wrote them, sorted. */
function rowsOf(file: string): Map<string, { columns: string[]; rows: string[] }> {
  const tables = new Map<string, { columns: string[]; rows: string[] }>()
  let rows: string[] | null = null
  for (const line of gunzipSync(readFileSync(file)).toString().split('\n')) {
    const [, table = '', list = ''] = (rows === null && COPY_PATTERN.exec(line)) || []
    if (table) {
      rows = []
      tables.set(table, { columns: list.split(', ').map((name) => name.slice(1, -1)), rows })
    } else if (line === END_OF_ROWS) {
      rows?.sort()
      rows = null
    } else rows?.push(line)
  }
  return tables
}

async function copyOf(db: Database, table: string, columns: string[]): Promise<string[]> {
  return db.begin(async (tx) => {
    const chunks: Buffer[] = []
    for await (const chunk of tx.copyOut(copyOutStatement(table.slice(1, -1), columns))) chunks.push(chunk)
    return Buffer.concat(chunks).toString().split('\n').slice(0, -1).sort()
  })
}
