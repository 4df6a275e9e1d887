import type { Database } from '../db/connection.ts'

/** Tables that a command may change. */
const TABLES = [
  'microgenres',
  'songs',
  'provider_cache',
  'suggestions',
  'song_candidates',
  'found_microgenres',
  'found_microgenre_songs',
  'video_candidates',
] as const

export type DryRunTable = (typeof TABLES)[number]

/**
 * Shadows songs, microgenres and `more` on this connection with temporary copies, so that a dry run does all that a
 * real run does and changes nothing.
 */
export async function startDryRun(db: Database, ...more: DryRunTable[]): Promise<void> {
  const wanted: readonly DryRunTable[] = ['microgenres', 'songs', ...more]
  await db.begin(async (tx) => {
    await tx`set local statement_timeout = '10min'`
    for (const table of TABLES) {
      if (!wanted.includes(table)) continue
      await tx`
        create temporary table ${tx(table)} (like public.${tx(table)} including all excluding indexes)`
      const [{ columns, hasId } = { columns: '', hasId: false }] = await tx<
        { columns: string; hasId: boolean }[]
      >`
        select coalesce(string_agg(quote_ident(attname), ', ' order by attnum), '') as columns,
          coalesce(bool_or(attidentity <> ''), false) as has_id
        from pg_attribute
        where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
      await tx.unsafe(
        `insert into pg_temp.${table} (${columns}) overriding system value select ${columns} from public.${table}`,
      )
      if (hasId)
        await tx.unsafe(
          `select setval(pg_get_serial_sequence('pg_temp.${table}', 'id'),
             (select coalesce(max(id), 0) + 1 from ${table}), false)`,
        )
      // After the rows, because building an index at once is faster. No command searches by text.
      const indexes = await tx<{ definition: string }[]>`
        select pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid = ${`public.${table}`}::regclass and indexrelid not in ('public.songs_search'::regclass, 'public.songs_folded'::regclass)`
      for (const { definition } of indexes)
        await tx.unsafe(definition.replace(` ON public.${table} `, ` ON pg_temp.${table} `))
    }
  })
}
