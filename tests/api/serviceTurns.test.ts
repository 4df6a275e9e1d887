import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { connect } from '../../server/db/connection.ts'
import { createRateLimiter } from '../../server/integrations/rateLimiter.ts'
import { packagePath } from '../../server/packagePath.ts'
import { makeMicrogenre } from '../factories.ts'
import { startDatabaseProxy } from '../harness/databaseProxy.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpFolder } from '../harness/setUpFolder.ts'
import { setUpService } from '../harness/setUpService.ts'
import { startProgram } from '../harness/startProgram.ts'
import { scaled } from '../harness/tier.ts'
import { startOutside } from '../stand-ins/outside.ts'

/* catalogue-10: all processes together keep the limits of outside services. */

const database = setUpDatabase()
const line = setUpService(() => startDatabaseProxy(database.target))
const outside = setUpService(startOutside)
const folder = setUpFolder()
beforeEach(async () => {
  await database.db`truncate service_turns`
})

const MINUTE = 60_000

test('an interval has as many turns as the limit, and a wait that is too long takes none', async () => {
  const turns = createRateLimiter(database.db, 'A service', { limit: 2, interval: MINUTE })
  expect(await turns.reserve(0)).toBe(0)
  expect(await turns.reserve(0)).toBe(0)
  expect(await turns.reserve(0)).toBeNull()

  // The refused one took no turn.
  const waits: (number | null)[] = []
  for (let n = 0; n < 5; n++) waits.push(await turns.reserve(10 * MINUTE))
  expect(waits.map((wait) => Math.ceil((wait ?? 0) / MINUTE))).toEqual([1, 1, 2, 2, 3])
  // Another service has its own.
  const other = createRateLimiter(database.db, 'Another service', { limit: 1, interval: MINUTE })
  expect(await other.reserve(0)).toBe(0)
})

test('a pause that one process was asked for holds all, and a shorter one does not end it', async () => {
  const limit = { limit: 5, interval: 10 }
  const [one, other] = [limit, limit].map((same) => createRateLimiter(database.db, 'A service', same))
  await one?.pause(10 * MINUTE)
  await one?.pause(MINUTE)

  expect(await other?.reserve(MINUTE)).toBeNull()
  expect(await other?.reserve(10 * MINUTE)).toBeGreaterThan(9 * MINUTE)
})

test('processes that ask at once get turns of their own', async () => {
  const pools = [1, 2, 3].map(() => connect(database.target, { max: 4 }))
  try {
    const waits = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        createRateLimiter(pools[n % 3] as (typeof pools)[0], 'Busy', { limit: 1, interval: MINUTE }).reserve(
          60 * MINUTE,
        ),
      ),
    )
    const turns = waits.map((wait) => Math.round((wait ?? -MINUTE) / MINUTE)).sort((a, b) => a - b)
    expect(turns).toEqual(Array.from({ length: 30 }, (_, n) => n))
  } finally {
    for (const pool of pools) await pool.end({ timeout: 5 })
  }
})

test('two programs together ask the public MusicBrainz once a second', async () => {
  await database.db`truncate songs`
  const songs = scaled(2, 8)
  await makeMicrogenre(database.db, songs)
  const env = {
    ...outside.withoutKeys,
    DATABASE_URL: line.target,
    MUSICBRAINZ_URL: 'https://musicbrainz.org',
    FETCH_HOSTS: JSON.stringify({ 'musicbrainz.org': outside.musicbrainz.url }),
    NODE_OPTIONS: `--import ${pathToFileURL(packagePath('tests/stand-ins/fetchHosts.mjs')).href}`,
  }
  const runs = [1, 2].map(() => startProgram('catalogue', ['enrich'], { env, folder }).ended)
  for (const ran of await Promise.all(runs)) expect(ran).toMatchObject({ code: 0 })

  const { times } = outside.musicbrainz
  expect(times.length).toBeGreaterThanOrEqual(songs)
  // Single ones may come late on a busy machine.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - 1) * 1000)
})
