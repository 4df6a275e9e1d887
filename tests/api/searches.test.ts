import { expect, test } from 'vitest'
import { foldText } from '../../contract/foldText.ts'
import { connect } from '../../server/db/connection.ts'
import { foldSearchText } from '../../server/db/searchTexts.ts'
import { readEnv } from '../../server/env.ts'
import { foldTexts } from '../../server/foldTexts.ts'
import { listPublicUsers } from '../../server/profiles/listPublicUsers.ts'
import { findCatalogueSongs, searchCatalogue } from '../../server/suggestions/catalogueSongs.ts'
import { songKey } from '../../server/suggestions/songKey.ts'
import { makeMicrogenre } from '../factories.ts'
import { exceptOnCluster, setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import { scaled } from '../harness/tier.ts'

/* Searches by index find the same as a full scan. */

const database = setUpDatabase()
const env = readEnv({ NODE_ENV: 'test' })
/** One connection with the settings of the server's, so that its statistics can be read. */
const db = setUpService(
  async () => connect(database.target, { max: 1, lookups: true }),
  (db) => db.end({ timeout: 5 }),
)

const NOBODY = '999999999999999999'

/** Accents, emoji, scripts without spaces or from right to left, signs of LIKE, of quoting and of a text search. */
const TEXTS = [
  'Zoë Brûlée 100% dub_techno',
  'موسيقى الليل שלום',
  '👩🏽‍🎤🎧🏳️‍🌈🇩🇪 late',
  '陈伟音乐',
  'ポリリズム',
  'İstanbul STRASSE ß ΟΔΥΣΣΕΎΣ ﬁn',
  'e\u0301 A\u030A',
  `back\\slash O'Neil "x" '' \\' :* & | ! <-> (a)`,
  'one\n\ttwo  three',
  'a',
  'ab',
  'aaaa',
  'FORRÓ Żółw Dvor\u030Ca\u0301k Røyksopp',
  'ＹＭＯ Işık',
  '[a-z].* %_%',
]

const SEARCH_TEXTS = [...new Set(TEXTS.flatMap(partsOf))]

test('people-11: the search finds whoever has the text in a name, a bio or a shown address, and nobody else', async () => {
  await database.db`
    insert into users (first_name, last_name, bio, email, show_email, is_public, follower_count)
    select nullif(given[1], ''), nullif(given[2], ''), nullif(given[3], ''),
      n || '-' || i || '@people.example', n % 2 = 0, n % 5 > 0, n % 3
    from unnest(${TEXTS}::text[]) with ordinality as t (word, n),
      lateral (values (1, array[word, '', '']), (2, array['', word, '']), (3, array['', '', word]), (4, array[word, word, word])) g (i, given)`
  await database.db`update users set suspended_at = now() where email like '3-%@people.example'`
  await countFollowers()
  const people = await db<{ id: string; name: string; bio: string; email: string }[]>`
    select id, coalesce(first_name, '') || ' ' || coalesce(last_name, '') as name, coalesce(bio, '') as bio,
      case when show_email then coalesce(email, '') else '' end as email
    from users where is_public and suspended_at is null order by follower_count desc, id`
  const searches = [
    ...SEARCH_TEXTS,
    'forro zolw dvorak royksopp',
    'ymo ışik',
    'people.example',
    '2-1@PEOPLE',
    '3-1@people',
    '5-1@people',
    '%@people',
    '@people_example',
  ]
  for (const search of searches) {
    const folded = foldText(search)
    const expected = people.filter((person) =>
      [person.name, person.bio, person.email].some((text) => foldText(text).includes(folded)),
    )
    const results = await listPublicUsers(db, NOBODY, { search, limit: 200 })

    expect({ search, ids: results.map(({ id }) => id) }).toEqual({
      search,
      ids: expected.slice(0, 200).map(({ id }) => id),
    })
  }
})

test('desk-4: the search finds the songs whose title and artist contain all words, however they are spelled', async () => {
  const genre = await makeMicrogenre(database.db, TEXTS.length)
  await database.db`
    update songs s set title = t.title, artist = t.artist
    from unnest(${TEXTS}::text[], ${TEXTS.map((_, n) => TEXTS[(n + 1) % TEXTS.length] ?? '')}::text[],
      ${TEXTS.map((_, n) => n)}::int[]) as t (title, artist, seq)
    where s.microgenre_id = ${genre.id} and s.seq = t.seq`
  await database.db`update songs set retired_at = now() where microgenre_id = ${genre.id} and seq = 0`
  const songs = await db<{ id: string; title: string; artist: string }[]>`
    select id, title, artist from songs where retired_at is null order by char_length(title), id`
  const letters = SEARCH_TEXTS.filter((needle) => /[\p{L}\p{N}\p{So}]/u.test(needle))
  for (const typed of [
    ...letters,
    'zoe brulee',
    'forro zolw',
    'dvorak',
    'ROYKSOPP',
    'ymo isik',
    'polyrhythm',
    'strasse istanbul',
    '陈 音乐',
    'ab aa',
  ]) {
    const words = typed.split(/\s+/)
    const expected = songs.filter(({ title, artist }) =>
      words.every((word) => foldSearchText(`${title} ${artist}`).includes(foldSearchText(word))),
    )
    const results = await searchCatalogue(db, env, words, 4)

    expect({ typed, ids: results.map(({ id }) => id) }).toEqual({
      typed,
      ids: expected.slice(0, 4).map(({ id }) => id),
    })
  }
})

test('desk-5: every spelling of a song finds it, retired songs only on request', async () => {
  const songs = await db<{ id: string; title: string; artist: string; isRetired: boolean }[]>`
    select id, title, artist, retired_at is not null as is_retired from songs`
  const spellings = songs.map(({ title, artist }) => ({
    title: `The ${title.toUpperCase()} (feat. Somebody)`,
    artist: artist.toUpperCase(),
  }))
  const here = await findCatalogueSongs(db, env, spellings)
  const all = await findCatalogueSongs(db, env, spellings, { retired: true })
  for (const [place, { artist, title }] of spellings.entries()) {
    const same = songs.filter((song) => songKey(song.artist, song.title) === songKey(artist, title))
    const idsOf = (results: { id: string }[] = []) => results.map(({ id }) => id).sort()
    expect({ title, ids: idsOf(all[place]) }).toEqual({ title, ids: idsOf(same) })
    expect({ title, ids: idsOf(here[place]) }).toEqual({
      title,
      ids: idsOf(same.filter(({ isRetired }) => !isRetired)),
    })
  }
})

/** Stores `follower_count` of new listeners. */
const countFollowers = () => database.db`
  insert into follow_counts (user_id, followers, following)
  select id, follower_count, 0 from users where follower_count > 0 on conflict do nothing`

/** Listeners. */
const USER_COUNT = scaled(13_000, 30_000)

test('people-11: with many listeners a rare text is found by the index, a frequent one among the most followed', async () => {
  await database.db`
    insert into users (email, first_name, last_name, bio, is_public, follower_count)
    select 'many-' || n, 'Listener', 'No ' || n,
      case when n % 1000 = 7 then 'Zydeco and 陈' when n % 31 = 0 then 'Dub techno' else 'Music of all kinds' end,
      n % 2 = 1, n % 100
    from generate_series(1, ${USER_COUNT}::int) n`
  await countFollowers()
  await foldTexts(db)
  await database.db`vacuum analyze users`
  const searchWithPlan = async (search: string) => {
    const before = await readsOf('users')
    const results = await listPublicUsers(db, NOBODY, { search, limit: 200 })
    const after = await readsOf('users')
    return {
      found: results.length,
      byIndex: (after.scans.users_folded ?? 0) - (before.scans.users_folded ?? 0),
      rows: after.rows - before.rows,
      whole: after.whole - before.whole,
    }
  }

  for (const rare of ['zydeco', '陈', `No ${USER_COUNT - 1}`]) {
    const { byIndex, rows, whole } = await searchWithPlan(rare)
    expect({ rare, byIndex, whole }).toEqual({ rare, byIndex: 1, whole: 0 })
    // The thousand most followed, of whom every second is private.
    expect(rows).toBeLessThanOrEqual(2200)
  }
  for (const frequent of ['listener', 'MUSIC', 'o', 'dub techno']) {
    const { found: results, byIndex, rows, whole } = await searchWithPlan(frequent)
    expect({ frequent, found: results, byIndex, whole }).toEqual({
      frequent,
      found: 200,
      byIndex: 0,
      whole: 0,
    })
    expect(rows).toBeLessThanOrEqual(42_000)
  }
})

exceptOnCluster('there the copies of the table count reads')(
  'desk-4, desk-5: with many songs neither the search nor the spellings of a song read them all',
  async () => {
    const genre = await makeMicrogenre(database.db, 6000)
    await database.db`
    update songs set title = 'A song of usual length ' || seq, artist = 'The ' || seq % 999 || ' Musicians'
    where microgenre_id = ${genre.id}`
    await foldTexts(db)
    await database.db`vacuum analyze songs`
    const before = await readsOf('songs')
    const rare = await searchCatalogue(db, env, ['length', '5123'], 4)
    const frequent = await searchCatalogue(db, env, ['musicians', 'song'], 4)
    const [[foundSong] = []] = await findCatalogueSongs(db, env, [
      { title: 'A Song of Usual Length 5,124', artist: 'The 129 Musicians', deezerTrackId: '1' },
    ])
    const after = await readsOf('songs')

    expect(rare.map(({ title }) => title)).toEqual(['A song of usual length 5123'])
    expect(frequent).toHaveLength(4)
    expect(foundSong?.title).toBe('A song of usual length 5124')
    expect((after.scans.songs_folded ?? 0) - (before.scans.songs_folded ?? 0)).toBe(1)
    expect((after.scans.songs_title_key ?? 0) - (before.scans.songs_title_key ?? 0)).toBe(1)
    expect(after.whole).toBe(before.whole)
    expect(after.rows - before.rows).toBeLessThan(4100)
  },
)

exceptOnCluster('there the copies of the table count reads')(
  'a search for many letters reads about as much of the index as one for two',
  async () => {
    const readBy = async (words: string[]) => {
      const before = await indexReads()
      expect(await searchCatalogue(db, env, words, 4)).toEqual([])
      return (await indexReads()) - before
    }
    const two = await readBy(['q', 'a'])
    const many = await readBy([...'qasongufleth'])

    expect(two).toBeGreaterThan(0)
    expect(many).toBeLessThan(two * 1.5)
  },
)

/** Blocks that were read of the index of songs. */
async function indexReads(): Promise<number> {
  await db`select pg_stat_force_next_flush()`
  const [row] = await db<{ blocks: number }[]>`
    select (idx_blks_hit + idx_blks_read)::int as blocks from pg_statio_user_indexes where indexrelname = 'songs_folded'`
  return row?.blocks ?? 0
}

/** Beginnings, middles and ends of a text, in both cases; a search has no spaces at its ends. */
function partsOf(text: string): string[] {
  const letters = [...text]
  const parts = [1, 2, 3, 4, 7].flatMap((length) =>
    letters.map((_, n) =>
      letters
        .slice(n, n + length)
        .join('')
        .trim(),
    ),
  )
  return [text, ...parts].filter(Boolean).flatMap((part) => [part, part.toUpperCase()])
}

/** How often each index of a table was used, rows read by index, and scans of the whole table. */
async function readsOf(table: string) {
  await db`select pg_stat_force_next_flush()`
  const scans = await db<{ name: string; scans: number }[]>`
    select indexrelname::text as name, idx_scan::int as scans from pg_stat_user_indexes where relname = ${table}`
  const [row] = await db<{ rows: number; whole: number }[]>`
    select idx_tup_fetch::int as rows, seq_scan::int as whole from pg_stat_user_tables where relname = ${table}`
  return {
    scans: Object.fromEntries(scans.map(({ name, scans }) => [name, scans])),
    rows: row?.rows ?? 0,
    whole: row?.whole ?? 0,
  }
}
