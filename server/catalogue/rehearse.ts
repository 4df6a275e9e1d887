import type { Database } from '../db/connection.ts'

/**
 * From here on whatever this connection does with songs and microgenres is done to copies that nobody else
 * sees and that go with it: a dry run does everything that a real one does, across all its batches, and
 * leaves no trace. Temporary tables come before others of their name.
 */
export async function rehearse(db: Database): Promise<void> {
  await db.begin(async (tx) => {
    await tx`set local statement_timeout = '10min'`
    for (const table of ['microgenres', 'songs']) {
      await tx`
        create temporary table ${tx(table)} (like public.${tx(table)} including all excluding indexes)`
      await tx`insert into ${tx(table)} overriding system value select * from public.${tx(table)}`
      await tx`
        select setval(pg_get_serial_sequence(${`pg_temp.${table}`}, 'id'),
          (select coalesce(max(id), 0) + 1 from ${tx(table)}), false)`
      // Once the rows are there: an index is built much faster than it grows row by row.
      const indexes = await tx<{ definition: string }[]>`
        select pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid = ${`public.${table}`}::regclass`
      for (const { definition } of indexes)
        await tx.unsafe(definition.replace(` ON public.${table} `, ` ON pg_temp.${table} `))
    }
  })
}
