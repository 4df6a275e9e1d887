import type { Database } from '../db/connection.ts'

/**
 * Makes this connection work on temporary copies of songs and microgenres: a dry run then does everything that a
 * real run does, and changes nothing. Temporary tables shadow others of the same name.
 */
export async function startDryRun(db: Database): Promise<void> {
  await db.begin(async (tx) => {
    await tx`set local statement_timeout = '10min'`
    for (const table of ['microgenres', 'songs'] as const) {
      await tx`
        create temporary table ${tx(table)} (like public.${tx(table)} including all excluding indexes)`
      const [{ columns } = { columns: '' }] = await tx<{ columns: string }[]>`
        select coalesce(string_agg(quote_ident(attname), ', ' order by attnum), '') as columns from pg_attribute
        where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
      await tx.unsafe(
        `insert into ${table} (${columns}) overriding system value select ${columns} from public.${table}`,
      )
      await tx`
        select setval(pg_get_serial_sequence(${`pg_temp.${table}`}, 'id'),
          (select coalesce(max(id), 0) + 1 from ${tx(table)}), false)`
      // After the rows: building an index at once is much faster than growing it. No catalogue tool searches by words.
      const indexes = await tx<{ definition: string }[]>`
        select pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid = ${`public.${table}`}::regclass and indexrelid <> 'public.songs_search'::regclass`
      for (const { definition } of indexes)
        await tx.unsafe(definition.replace(` ON public.${table} `, ` ON pg_temp.${table} `))
    }
  })
}
