import type { ClientBase } from 'pg'
import type { Queryable } from '../../../server/db/connection.ts'

/* Queries with and without mistakes. Nothing sends them. */

export const right = (db: Queryable, id: string, isShort: boolean) => [
  db<{ id: string; bio: string | null; createdAt: Date }[]>`select id, bio, created_at from users`,
  // A condition, a join and a default say that there is a value.
  db<{ bio: string }[]>`select bio from users where bio is not null`,
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
  db<{ bio: string }[]>`select bio from users`,
  db<
    { email: string }[]
  >`select u.email from users u left join sessions s on s.user_id = u.id where s.id > 0`,
  db<{ title: string }[]>`select s.title from users u left join songs s on s.id = u.id`,
  db<{ id: string | null }[]>`select id from users`,
  db<{ id: number; createdAt: string }[]>`select id, created_at from users`,
  db<{ retiredAt: Date }[]>`
    update songs set retired_at = null where retired_at is not null returning retired_at`,
  db<{ bio: string }[]>`with found as (select bio from users) select bio from found`,
  db<{ bangers: string }[]>`select sum(bangers) as bangers from song_totals`,
  db<{ id: string }[]>`select id from users ${isShort ? db`limit 1` : db`limit`}`,
  db`select count(*) from users`,
  client.query<{ id: number }>('select id from users where id = $1', [name]),
  db`select from users ${db.unsafe(name)}`,
  db`select from ${db(name)}`,
]
