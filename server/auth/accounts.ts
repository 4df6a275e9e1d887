import type { Queryable } from '../db/connection.ts'

/** Profile of a new listener, as the provider gave it. */
export interface NewProfile {
  firstName: string | null
  lastName: string | null
  /** Its address at the provider, from which the server fetches it (uploads-13). */
  picture: string | null
}

const NOTHING_TOLD: NewProfile = { firstName: null, lastName: null, picture: null }

export async function findAccount(db: Queryable, email: string): Promise<string | null> {
  const [known] = await db<{ id: string }[]>`select id from users where email = ${email}`
  return known?.id ?? null
}

/**
 * Returns the account of a verified e-mail address and creates it at the first sign-in (signin-11). An existing
 * account keeps its profile. Call it inside a transaction.
 */
export async function findOrCreateAccount(db: Queryable, email: string): Promise<string> {
  return (await findAccount(db, email)) ?? createAccount(db, email, NOTHING_TOLD)
}

/**
 * Creates an account, or returns the one that got the address meanwhile. Also creates its stats row, which every
 * rating locks. Call it inside a transaction.
 */
export async function createAccount(
  db: Queryable,
  email: string | null,
  { firstName, lastName, picture }: NewProfile,
): Promise<string> {
  const [created] = await db<{ id: string }[]>`
    insert into users (email, first_name, last_name) values (${email}, ${firstName}, ${lastName})
    on conflict (email) do update set email = excluded.email
    returning id`
  if (!created) throw new Error('An upsert returned no row.')
  const made = await db`insert into listener_stats (user_id) values (${created.id}) on conflict do nothing`
  if (picture && made.count > 0)
    await db`insert into provider_pictures (user_id, address) values (${created.id}, ${picture})`
  return created.id
}
