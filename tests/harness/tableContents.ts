import type { Database, Fragment } from '../../server/db/connection.ts'

/** Counters of limits also count rejected calls. */
const NOT_CONTENT = ['limit_counters']

/** Columns that calls of others change: views of a shared collection, and folded texts for searches. */
const NOT_BACKED_UP = ['view_count', 'folded', 'folded_from', 'title_key']

/**
 * Every row of every table, but not of views, which an extension may have, as text in a fixed order, so that two
 * snapshots can be compared.
 */
export function tableContents(db: Database): Promise<Record<string, string[]>> {
  return readTables(db, () => db`true`)
}

/** The same for the rows of one listener. */
export function contentsOf(db: Database, listener: string): Promise<Record<string, string[]>> {
  return readTables(db, (table, columns) => {
    if (table === 'users') return db`id = ${listener}`
    if (table === 'follows') return db`follower_id = ${listener}`
    if (table === 'collection_items')
      return db`collection_id in (select id from collections where user_id = ${listener})`
    return columns.includes('user_id') ? db`user_id = ${listener}` : db`false`
  })
}

/** In one statement: some tests compare the whole database hundreds of times. */
async function readTables(
  db: Database,
  where: (table: string, columns: string[]) => Fragment,
): Promise<Record<string, string[]>> {
  const tables = await listTables(db)
  const rows = await db<{ name: string; row: string }[]>`${tables
    .map(
      ({ name, columns }) => db`
        select ${name}::text as name, (to_jsonb(t) - ${NOT_BACKED_UP}::text[])::text as row
        from ${db(name)} t where ${where(name, columns)}`,
    )
    .reduce((all, each) => db`${all} union all ${each}`)}`
  const contents = Object.fromEntries(tables.map(({ name }) => [name, [] as string[]]))
  for (const { name, row } of rows) contents[name]?.push(row)
  for (const each of Object.values(contents)) each.sort()
  return contents
}

interface Table {
  name: string
  columns: string[]
}

/** Tests that compare contents create no tables. */
const tablesByDatabase = new WeakMap<Database, Promise<Table[]>>()

function listTables(db: Database): Promise<Table[]> {
  const tables = tablesByDatabase.get(db) ?? readNames(db)
  tablesByDatabase.set(db, tables)
  return tables
}

async function readNames(db: Database): Promise<Table[]> {
  const tables = await db<Table[]>`
    select table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' group by table_name`
  return tables.filter(({ name }) => !NOT_CONTENT.includes(name))
}
