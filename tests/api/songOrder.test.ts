import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connect } from '../../server/db/connection.ts'
import { functions } from '../../server/db/functions.ts'
import { listNextSongs } from '../../server/discovery/nextSongs.ts'
import { rateSong } from '../../server/discovery/storeRatings.ts'
import { readEnv } from '../../server/env.ts'
import { makeListener, makeMicrogenre } from '../factories.ts'
import { exceptOnCluster } from '../harness/exceptOnCluster.ts'
import { SEED } from '../harness/seed.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { scaled } from '../harness/tier.ts'

const database = setUpDatabase()
const SEEDS = [0, 12345, 2_147_483_646]
const SIZES = [...Array.from({ length: 70 }, (_, n) => n + 1), 255, 256, 257, 1023, 4096, 5003]

test('the order is a permutation for every size from 1 to 70 and larger ones, and its inverse undoes it', async () => {
  const wrong = await database.db`
    select seed, size from unnest(${SEEDS}::int[]) seed, unnest(${SIZES}::int[]) size
    where (select count(distinct ${functions}.permute(seed, place, size)) <> size
                  or min(${functions}.permute(seed, place, size)) <> 0
                  or max(${functions}.permute(seed, place, size)) <> size - 1
                  or not bool_and(${functions}.permute(seed, ${functions}.permute(seed, place, size), size, true) = place)
                  or not bool_and(${functions}.permute(seed, ${functions}.permute(seed, place, size, true), size) = place)
           from generate_series(0, size - 1) place)`

  expect([...wrong]).toEqual([])
})

test('any seed, size and place give a valid place, and the inverse undoes it', async () => {
  const cases = fc.sample(
    fc.integer({ min: 1, max: 2_147_483_647 }).chain((size) =>
      fc.record({
        seed: fc.integer({ min: 0, max: 2_147_483_647 }),
        size: fc.constant(size),
        place: fc.integer({ min: 0, max: size - 1 }),
      }),
    ),
    { seed: SEED, numRuns: scaled(50, 500) },
  )
  const rows = await database.db<{ at: number; back: number; size: number; place: number }[]>`
    select ${functions}.permute(seed, place, size) as at, ${functions}.permute(seed, ${functions}.permute(seed, place, size), size, true) as back, size, place
    from jsonb_to_recordset(${database.db.json(cases)}) as c (seed int, size int, place int)`

  expect(rows.filter(({ at, size }) => at < 0 || at >= size)).toEqual([])
  expect(rows.filter(({ back, place }) => back !== place)).toEqual([])
})

test('different seeds give different orders', async () => {
  const [row] = await database.db<{ orders: number }[]>`
    select count(distinct list)::int as orders
    from (select array_agg(${functions}.permute(seed * 7919, place, 12) order by place) as list
          from generate_series(1, 200) seed, generate_series(0, 11) place group by seed) as orders`

  expect(row?.orders).toBeGreaterThan(195)
})

test('every song is about equally likely to be first, and to follow any other', async () => {
  const firsts = await database.db<{ song: number; times: number }[]>`
    select ${functions}.permute(seed * 104729, 0, 20) as song, count(*)::int as times
    from generate_series(1, 8000) seed group by 1`
  const pairs = await database.db<{ times: number }[]>`
    select count(*)::int as times from generate_series(1, 8000) seed
    group by ${functions}.permute(seed * 104729, 3, 8), ${functions}.permute(seed * 104729, 4, 8)`

  // Expected: 400 for each song, 143 for each pair.
  expect(firsts).toHaveLength(20)
  expect(Math.min(...firsts.map(({ times }) => times))).toBeGreaterThan(300)
  expect(Math.max(...firsts.map(({ times }) => times))).toBeLessThan(500)
  expect(pairs).toHaveLength(56)
  expect(Math.min(...pairs.map(({ times }) => times))).toBeGreaterThan(70)
  expect(Math.max(...pairs.map(({ times }) => times))).toBeLessThan(260)
})

test('songs added after the pass began follow in the order they were added', async () => {
  const rows = await database.db`
    select ${functions}.song_at_place(5, 10, place) as song, ${functions}.place_of_song(5, 10, place) as place
    from generate_series(10, 14) place`

  expect(rows.map((row) => ({ ...row }))).toEqual([10, 11, 12, 13, 14].map((i) => ({ song: i, place: i })))
})

exceptOnCluster('there the parts of the table count reads')(
  'the next song takes an index lookup, whatever the size of the microgenre and however often it is called',
  async () => {
    const genre = await makeMicrogenre(database.db, 5000)
    const listener = await makeListener(database.db)
    const env = readEnv({})
    const alone = connect(database.target, { max: 1 })
    try {
      await alone`analyze songs`
      await alone`begin`
      // From the sixth call on PostgreSQL may switch to a generic plan.
      for (let n = 0; n < 10; n++) {
        const [song] = await listNextSongs(alone, env, listener, genre.id, 5)
        const body = { microgenreId: genre.id, songId: song?.id ?? '', rating: 'banger' as const }
        await rateSong(alone, env, listener, body)
      }
      const [row] = await alone<{ scanned: number; looked: number }[]>`
      select seq_tup_read::int as scanned, idx_tup_fetch::int as looked from pg_stat_xact_user_tables
      where relname = 'songs'`

      expect(row?.scanned).toBe(0)
      expect(row?.looked).toBeGreaterThan(0)
      expect(row?.looked).toBeLessThan(10 * 30)
    } finally {
      await alone`rollback`
      await alone.end({ timeout: 5 })
    }
  },
)
