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
      await tx`insert into ${tx(table)} overriding system value select * from public.${tx(table)}`
      await tx`
        select setval(pg_get_serial_sequence(${`pg_temp.${table}`}, 'id'),
          (select coalesce(max(id), 0) + 1 from ${tx(table)}), false)`
      // After the rows: building an index at once is much faster than growing it.
      const indexes = await tx<{ definition: string }[]>`
        select pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid = ${`public.${table}`}::regclass`
      for (const { definition } of indexes)
        await tx.unsafe(definition.replace(` ON public.${table} `, ` ON pg_temp.${table} `))
    }
  })
}
