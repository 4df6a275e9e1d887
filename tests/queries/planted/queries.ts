import type { ClientBase } from 'pg'
import type { Queryable } from '../../../server/db/connection.ts'

/* Queries with and without mistakes. Nothing sends them. */

export const right = (db: Queryable, id: string, isShort: boolean) => [
  db<{ id: string; bio: string | null; createdAt: Date }[]>`select id, bio, created_at from users`,
  db<{ name: string }[]>`select m.name from songs s join microgenres m on m.id = s.microgenre_id`,
  db<
    { bangers: number }[]
  >`select coalesce(t.bangers, 0) as bangers from songs s left join song_totals t on t.song_id = s.id`,
  db<
    { count: number; has: boolean }[]
  >`select count(*)::int as count, exists (select from songs) as has from users`,
  db<{ id: string }[]>`select id from users union all select user_id from sessions`,
  // Parts, of which there is one or the other.
  db<{ id: string }[]>`select id from users u ${isShort ? db`limit 1` : ordered(db)}`,
  db<{ id: string; title: string }[]>`select ${columns(db)} from songs s where s.id = ${id}`,
]

const columns = (db: Queryable) => db`s.id, s.title`
const ordered = (db: Queryable) => db`order by u.id`

export const wrong = (db: Queryable, client: ClientBase, isShort: boolean, name: string) => [
  db<{ handle: string | null }[]>`select first_name from users`,
  db`select handle from users`,
  db<{ id: number; createdAt: string }[]>`select id, created_at from users`,
  db<{ bangers: Date | null }[]>`select sum(bangers) as bangers from song_totals`,
  db<{ id: string }[]>`select id from users ${isShort ? db`limit 1` : db`limit`}`,
  db`select count(*) from users`,
  client.query<{ id: number }>('select id from users where id = $1', [name]),
  db`select from users ${db.unsafe(name)}`,
  db`select from ${db(name)}`,
]
