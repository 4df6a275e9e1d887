import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DISCOVER_LIMIT } from '../contract/profiles.ts'
import { connect, type Database } from '../server/db/connection.ts'
import { startEmbedded } from '../server/db/embedded/startEmbedded.ts'
import { migrateDatabase } from '../server/db/migrate.ts'
import { listPublicUsers } from '../server/profiles/listPublicUsers.ts'
import { finish, judge, setting } from './measure/goals.ts'
import { quantile } from './measure/spread.ts'
import { makeWords, pick } from './measure/words.ts'

/* How long a search for people takes when there are very many. See README.md. */

const LISTENERS = setting('BENCH_LISTENERS', 10_000_000)
/** Searches of each kind. */
const SEARCHES = setting('BENCH_SEARCHES', 100)
/** Milliseconds at p95. */
const GOAL = 50
const AT_ONCE = 100_000

/** Family and given names in use. */
const CHINESE =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段漕钱汤尹黎易常武乔贺赖龚文'

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'bob-search-'))
const embedded = await startEmbedded({ dataDir, log: () => {}, noSync: true })
try {
  await migrateDatabase(embedded.connection)
  const filler = connect(embedded.connection, { max: 1, settings: { statement_timeout: '0' } })
  await fill(filler)
  const people = await somePeople(filler)
  await filler.end({ timeout: 5 })
  const db = connect(embedded.connection, { max: 1, lookups: true })
  await measure(db, people)
  await db.end({ timeout: 5 })
} finally {
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}
finish()

/** One listener in five is public, every second of those has a bio. Names and words are as unevenly frequent as real ones. */
async function fill(db: Database): Promise<void> {
  const [{ definition } = { definition: '' }] = await db<{ definition: string }[]>`
    select pg_get_indexdef('users_search'::regclass) as definition`
  await db`drop index users_search`
  const [names, words] = [makeWords(4000, 2).concat([...CHINESE]), makeWords(6000, 1)]
  for (let from = 0; from < LISTENERS; from += AT_ONCE) {
    await db`
      insert into users (email, first_name, last_name, bio, is_public, show_email, follower_count)
      select 'listener-' || n || '@example.test', initcap(${pick(db, names)}), initcap(${pick(db, names)}),
        case when n % 10 = 0
          then (select left(string_agg(${pick(db, words)}, ' '), 280) from generate_series(1, 4 + (n / 10 % 25)::int)) end,
        n % 5 = 0, n % 50 = 0, floor(power(random(), 8) * 1000)::int
      from generate_series(${from}::bigint, ${Math.min(from + AT_ONCE, LISTENERS) - 1}::bigint) n`
  }
  const started = performance.now()
  await db.unsafe(definition)
  const seconds = (performance.now() - started) / 1000
  await db`vacuum analyze users`
  const [row] = await db<{ table: string; index: string }[]>`
    select pg_size_pretty(pg_table_size('users')) as table, pg_size_pretty(pg_relation_size('users_search')) as index`
  console.log(
    `${LISTENERS.toLocaleString('en')} listeners: ${row?.table}; the index took ${seconds.toFixed(0)} s and ${row?.index}`,
  )
}

interface Person {
  first: string
  last: string
  bio: string
  email: string
}

function somePeople(db: Database): Promise<Person[]> {
  return db<Person[]>`
    select first_name as first, last_name as last, bio, email from users
    where is_public and show_email and bio is not null order by random() limit ${SEARCHES}`
}

async function measure(db: Database, people: readonly Person[]): Promise<void> {
  const kinds: Record<string, (person: Person, n: number) => string> = {
    'a first name': ({ first }) => first,
    'a whole name': ({ first, last }) => `${first} ${last}`,
    'the beginning of a name': ({ last }, n) => [...last].slice(0, 1 + (n % 5)).join(''),
    'a word of a bio': ({ bio }, n) => bio.split(' ')[n % 4] ?? bio,
    'two words of a bio': ({ bio }) => bio.split(' ').slice(1, 3).join(' '),
    'a part of an address': ({ email }) => email.slice(4, 16),
    'one Chinese character': (_, n) => CHINESE[n % CHINESE.length] ?? '',
    'a text without a match': (_, n) => `qx${n}`,
  }
  const all: number[] = []
  for (const [kind, textOf] of Object.entries(kinds)) {
    const times: number[] = []
    for (const [n, person] of people.entries()) {
      const started = performance.now()
      await listPublicUsers(db, '1', { search: textOf(person, n), limit: DISCOVER_LIMIT })
      times.push(performance.now() - started)
    }
    all.push(...times)
    judge(`${kind}, ms`, times)
    judge(`${kind}, ms, p95`, quantile(times, 0.95))
  }
  judge('all, ms', all)
  judge('all, ms, p95', quantile(all, 0.95), { under: GOAL })
}
