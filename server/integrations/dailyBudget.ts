import type { Database, Queryable } from '../db/connection.ts'

/** Google's day, which ends at midnight Pacific time. */
const today = (db: Queryable) => db`(now() at time zone 'America/Los_Angeles')::date`

/** The calls of today. */
export async function readBudgetUse(db: Queryable, provider: string): Promise<number> {
  const [row] = await db<{ used: number }[]>`
    select used from provider_quotas where provider = ${provider} and day = ${today(db)}`
  return row?.used ?? 0
}

/** Takes one call from a service's daily budget, shared by all server processes. Returns false when it is used up. */
export async function takeFromBudget(db: Database, provider: string, max: number): Promise<boolean> {
  const taken = await db`
    insert into provider_quotas as q (provider, day, used)
    values (${provider}, ${today(db)}, 1)
    on conflict (provider, day) do update set used = q.used + 1 where q.used < ${max}`
  return taken.count === 1
}
