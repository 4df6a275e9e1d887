import type { Database } from '../db/connection.ts'

/**
 * Takes one call from a service's daily budget, shared by all server processes. Returns false when it is used up.
 * Google's day ends at midnight Pacific time.
 */
export async function takeFromBudget(db: Database, provider: string, most: number): Promise<boolean> {
  const taken = await db`
    insert into provider_quotas as q (provider, day, used)
    values (${provider}, (now() at time zone 'America/Los_Angeles')::date, 1)
    on conflict (provider, day) do update set used = q.used + 1 where q.used < ${most}`
  return taken.count === 1
}
