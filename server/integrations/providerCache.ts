import type { Database } from '../db/connection.ts'

/** Answers of one service, kept for a while and shared by all server processes. */
export interface ProviderCache<T> {
  /** Those of the keys that are known and not too old. */
  read(keys: readonly string[]): Promise<Map<string, T>>
  write(entries: ReadonlyMap<string, T>, seconds: number): Promise<void>
}

/** Rows beyond their time that one write clears away. */
const SWEEP = 200

/** `name` tells the service and the shape of its values: another shape is another name. */
export function createProviderCache<T extends object>(db: Database, name: string): ProviderCache<T> {
  return {
    async read(keys) {
      if (keys.length === 0) return new Map()
      const rows = await db<{ key: string; value: T }[]>`
        select key, value from provider_cache
        where provider = ${name} and key = any(${keys as string[]}) and expires_at > now()`
      return new Map(rows.map(({ key, value }) => [key, value]))
    },

    async write(entries, seconds) {
      if (entries.size === 0) return
      // Sorted, so that two writers of the same keys wait for one another instead of failing.
      const rows = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => ({ key, value }))
      await db`
        with swept as (
          delete from provider_cache where ctid in (
            select ctid from provider_cache where expires_at < now() - interval '1 hour'
            limit ${SWEEP} for update skip locked))
        insert into provider_cache (provider, key, value, expires_at)
        select ${name}, key, value, now() + ${seconds} * interval '1 second'
        from jsonb_to_recordset(${db.json(rows as never)}) as i (key text, value jsonb)
        on conflict (provider, key) do update set value = excluded.value, expires_at = excluded.expires_at`
    },
  }
}
