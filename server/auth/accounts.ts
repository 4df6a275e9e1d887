import type { Queryable } from '../db/connection.ts'

/**
 * The account of a verified address, made at its first sign-in (D-11). The listener's stats row comes
 * with it: its lock is what every rating waits for. Call it inside a transaction.
 */
export async function findOrCreateAccount(db: Queryable, email: string): Promise<string> {
  const [known] = await db<{ id: string }[]>`select id from users where email = ${email}`
  if (known) return known.id
  const [created] = await db<{ id: string }[]>`
    insert into users (email) values (${email})
    on conflict (email) do update set email = excluded.email
    returning id`
  if (!created) throw new Error('An upsert gave no row.')
  await db`insert into listener_stats (user_id) values (${created.id}) on conflict do nothing`
  return created.id
}
