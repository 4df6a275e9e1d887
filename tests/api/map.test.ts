import { beforeAll, describe, expect, test } from 'vitest'
import { getMap, listMicrogenres, type MappedMicrogenre } from '../../contract/discovery.ts'
import { getMapStory } from '../../contract/sharing.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import type { Database } from '../../server/db/connection.ts'
import { openDatabase } from '../../server/db/openDatabase.ts'
import { openForProgram } from '../../server/db/openForProgram.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { type Env, readEnv } from '../../server/env.ts'
import { computeAffinities } from '../../server/taste/affinities.ts'
import { distanceOf, MAX_MOVE, MIN_GAP } from '../../server/taste/layOutMap.ts'
import { drawMap } from '../../server/taste/map.ts'
import { findMicrogenre, makeListener, makeMicrogenre, rateOn, writeRatings } from '../factories.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { warmUpPictures } from '../harness/multipart.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpFolder, setUpService } from '../harness/setUpService.ts'

const app = setUpApp()
const ada = setUpListener(app)
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000)

test('discover-80: before the first map is drawn it is empty; then it has every microgenre', async () => {
  expect(await readMap(ada)).toEqual([])

  await drawMap(app.db)
  const map = await readMap(ada)
  const listed = (await ada.call(listMicrogenres)).body
  expect(map.map(({ id, name, description, color }) => ({ id, name, description, color }))).toEqual(
    listed.map(({ id, name, description, color }) => ({ id, name, description, color })),
  )
  expect(leastGap(map)).toBeGreaterThanOrEqual(MIN_GAP - 0.001)

  const [zydeco, footwork] = [
    await findMicrogenre(app.db, 'zydeco'),
    await findMicrogenre(app.db, 'footwork'),
  ]
  await app.db`update microgenres set relatives = '{footwork}' where id = ${zydeco.id}`
  await drawMap(app.db, dayAfter(-1))
  const { near } = findIn(await readMap(ada), zydeco.id)
  expect(near[0]).toBe(footwork.id)
  expect(new Set(near).size).toBe(3)
  expect(near).not.toContain(zydeco.id)
  await app.db`update microgenres set relatives = '{}' where id = ${zydeco.id}`
  await drawMap(app.db)
})

test('discover-80: a map that the version before drew is drawn anew', async () => {
  await app.db`delete from microgenre_places`
  await drawMap(app.db)
  const before = await rows()
  await app.db`update microgenre_places set x = y, y = -3 * x, near = null`
  await drawMap(app.db)
  expect(await rows()).toEqual(before)
})

test("discover-82: the map has the caller's ratings and bangers in each microgenre, and nothing of others", async () => {
  const bob = await app.signIn()
  const bossa = await findMicrogenre(app.db, 'bossa-nova')
  await rateOn(ada, bossa.id, { most: 3 })
  await rateOn(ada, bossa.id, { most: 1, rating: 'bust' })

  const own = (await readMap(ada)).filter(({ ratings }) => ratings > 0)
  expect(own).toMatchObject([{ id: bossa.id, ratings: 4, bangers: 3 }])
  expect((await readMap(bob)).filter(({ ratings, bangers }) => ratings + bangers > 0)).toEqual([])
  expect((await app.visitor().call(getMap)).status).toBe(401)
})

test('discover-81: drawing the map again on the same day, or by two processes at once, changes nothing', async () => {
  const before = await rows()
  await Promise.all([drawMap(app.db), drawMap(app.db)])
  expect(await rows()).toEqual(before)

  // On the next day the places are the same, because the data is.
  await drawMap(app.db, dayAfter(1))
  expect(await rows()).toEqual(before.map((row) => ({ ...row, day: dayAfter(1).toISOString().slice(0, 10) })))
})

test('discover-80, discover-81: microgenres with common listeners move nearer, a little each day', async () => {
  const find = (key: string) => findMicrogenre(app.db, key)
  const [dungeon, bossa, footwork, zydeco] = [
    await find('dungeon-synth'),
    await find('bossa-nova'),
    await find('footwork'),
    await find('zydeco'),
  ]
  for (const both of [
    [dungeon, bossa],
    [footwork, zydeco],
  ])
    for (let n = 0; n < 12; n++) {
      const songs = both.flatMap((microgenre) => microgenre.songs.slice(0, 2))
      await writeRatings(app.db, await makeListener(app.db), songs, () => true)
    }
  await rollUp(app.db)
  await computeAffinities(app.db)

  let map = await readMap(ada)
  const distance = () => distanceOf(findIn(map, dungeon.id), findIn(map, bossa.id))
  const first = distance()
  for (let day = 2; day < 30; day++) {
    const before = map
    await drawMap(app.db, dayAfter(day))
    map = await readMap(ada)
    for (const place of map)
      expect(distanceOf(place, findIn(before, place.id))).toBeLessThanOrEqual(MAX_MOVE + 0.002)
  }
  expect(distance()).toBeLessThan(first)
})

test('discover-81: a new microgenre is on the map within the hour, and a retired one is not', async () => {
  const newMicrogenre = await makeMicrogenre(app.db, 2)
  const before = await readMap(ada)
  await drawMap(app.db, dayAfter(29))
  const map = await readMap(ada)
  expect(map).toHaveLength(before.length + 1)
  expect(map.map(({ id }) => id)).toContain(newMicrogenre.id)

  await app.db`update microgenres set retired_at = now() where id = ${newMicrogenre.id}`
  expect((await readMap(ada)).map(({ id }) => id)).not.toContain(newMicrogenre.id)
  await drawMap(app.db, dayAfter(29))
  expect(await rows()).toHaveLength(before.length)
})

test("discover-89: the picture shows the caller's own map, also before the first map, and is for nobody else", async () => {
  const bob = await app.signIn()
  await warmUpPictures(ada)
  const picture = async (listener: Listener) => {
    const { status, headers, text } = await listener.raw(getMapStory.path)
    expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
      status: 200,
      type: 'image/png',
      cache: 'no-store',
    })
    return text
  }
  const before = await picture(ada)
  expect(await picture(bob)).toBe(before)
  await rateOn(ada, (await findMicrogenre(app.db, 'bossa-nova')).id, { most: 2 })
  expect(await picture(ada)).not.toBe(before)

  await app.db`delete from microgenre_places`
  await picture(bob)
  expect((await app.visitor().raw(getMapStory.path)).status).toBe(401)
})

type Listener = Awaited<ReturnType<typeof app.signIn>>

const readMap = async (listener: Listener): Promise<MappedMicrogenre[]> => (await listener.call(getMap)).body

const rows = () =>
  app.db<{ microgenreId: string; x: number; y: number; day: string }[]>`
    select microgenre_id, x, y, drawn_on::text as day from microgenre_places order by microgenre_id`

function findIn(map: readonly MappedMicrogenre[], id: string): MappedMicrogenre {
  const mapped = map.find((one) => one.id === id)
  if (!mapped) throw new Error(`The map has no microgenre ${id}.`)
  return mapped
}

const leastGap = (map: readonly MappedMicrogenre[]) =>
  Math.min(...map.flatMap((one, i) => map.slice(0, i).map((other) => distanceOf(one, other))))

describe('lookups', () => {
  /* Connections cache their plans. The server's must not scan a whole table, because tables that are small now grow. */

  const database = setUpDatabase()
  const folder = setUpFolder()
  const line = setUpService(() => startDatabaseProxy(database.target))
  let env: Env
  beforeAll(() => {
    // A pool of two is one connection for calls and one for the roll-up.
    env = readEnv({ NODE_ENV: 'test', DATABASE_URL: line.target, DATABASE_POOL: '2', DATA_DIR: folder })
  })
  const server = setUpService(() => openDatabase(env, () => {}))

  test("the server's connections disable sequential scans and JIT; a program's allow both", async () => {
    const program = await openForProgram(env)
    try {
      for (const db of [server.db, server.background]) {
        expect(await settingsOf(db)).toEqual({ enableSeqscan: 'off', jit: 'off' })
      }
      expect(await settingsOf(program.db)).toMatchObject({ enableSeqscan: 'on' })
    } finally {
      await program.close()
    }
  })

  test('a rating whose plans were cached while the tables were small scans none of them', async () => {
    const { db } = server
    const genre = await makeMicrogenre(db, 8)
    const listener = await makeListener(db)
    // Otherwise PostgreSQL assumes ten pages for an empty table, and uses the index by itself.
    await db`analyze`
    const before = await countFullScans(db)
    for (const songId of genre.songs) {
      await rateSong(db, env, listener, { microgenreId: genre.id, songId, rating: 'banger' })
    }

    expect(await countFullScans(db)).toEqual(before)
  })

  test.each(['never', 'while it was empty'])(
    "a rating whose plans were cached while the table was small does not read the listener's other ratings (analyzed %s)",
    async (counted) => {
      const { db } = server
      await db`truncate ratings`
      await db.unsafe(counted === 'never' ? 'discard plans' : 'analyze ratings; discard plans')
      const genre = await makeMicrogenre(db, 200)
      const listener = await makeListener(db)
      const before = await readByIndex(db)
      for (const songId of genre.songs) {
        await rateSong(db, env, listener, { microgenreId: genre.id, songId, rating: 'banger' })
      }

      // Looks for the rating, for that of the next song, and for songs rated out of order.
      expect((await readByIndex(db)) - before).toBeLessThan(4 * genre.songs.length)
    },
  )

  async function settingsOf(db: Database) {
    const [row] = await db`
    select current_setting('enable_seqscan') as enable_seqscan, current_setting('jit') as jit`
    return row
  }

  /** How often each table that a rating reads was scanned, up to this connection's last statement. */
  async function countFullScans(db: Database) {
    await db`select pg_stat_force_next_flush()`
    return db`
    select relname, seq_scan from pg_stat_user_tables
    where relname in ('songs', 'song_totals', 'microgenres', 'microgenre_totals', 'ratings', 'not_now',
      'listener_stats', 'listener_genres', 'listener_hands', 'song_traits') order by relname`
  }

  /** How many index entries of ratings were read, up to this connection's last statement. */
  async function readByIndex(db: Database): Promise<number> {
    await db`select pg_stat_force_next_flush()`
    const [row] = await db<{ entries: number }[]>`
    select sum(idx_tup_read)::int as entries from pg_stat_user_indexes where relname = 'ratings'`
    return row?.entries ?? 0
  }
})
