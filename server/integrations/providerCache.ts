import type { Queryable } from '../db/connection.ts'

/** Cached answers of one service, shared by all server processes. */
export interface ProviderCache<T> {
  /** The cached values that have not expired. */
  read(keys: readonly string[]): Promise<Map<string, T>>
  write(entries: ReadonlyMap<string, T>, seconds: number): Promise<void>
}

/** Expired rows that one write deletes. */
const MAX_SWEPT_ROWS = 200

/** `name` identifies the service and the version of its values' shape. */
export function createProviderCache<T extends object>(db: Queryable, name: string): ProviderCache<T> {
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
      // Sorted, so that concurrent writers of the same keys wait for each other and do not deadlock.
      const rows = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => ({ key, value }))
      await db`
        with swept as (
          delete from provider_cache where ctid in (
            -- Ordered, so that a table without statistics is not scanned either.
            select ctid from provider_cache where expires_at < now() - interval '1 hour'
            order by expires_at limit ${MAX_SWEPT_ROWS} for update skip locked))
        insert into provider_cache (provider, key, value, expires_at)
        select ${name}, key, value, now() + ${seconds} * interval '1 second'
        from jsonb_to_recordset(${db.json(rows as never)}) as i (key text, value jsonb)
        on conflict (provider, key) do update set value = excluded.value, expires_at = excluded.expires_at`
    },
  }
}
