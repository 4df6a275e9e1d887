import postgres from 'postgres'

/** Where a client finds the embedded database; fits postgres.js as it is. */
export interface EmbeddedConnection {
  /** The folder of the unix socket, or 127.0.0.1 on Windows. */
  host: string
  port: number
  database: string
  username: string
  /** Windows only. */
  password?: string
}

/**
 * Asks the server how it is: 'ready'; 'empty', up but without our database; 'busy', starting or shutting down;
 * 'down', nobody answers.
 */
export async function probe(connection: EmbeddedConnection): Promise<'ready' | 'empty' | 'busy' | 'down'> {
  try {
    await withClient(connection, (sql) => sql`select 1`)
    return 'ready'
  } catch (error) {
    return states[(error as { code?: string }).code ?? ''] ?? 'down'
  }
}

/** Creates our database beside the maintenance one; one that is there already is fine. */
export async function createDatabase(connection: EmbeddedConnection): Promise<void> {
  try {
    await withClient(
      { ...connection, database: 'postgres' },
      (sql) => sql`create database ${sql(connection.database)}`,
    )
  } catch (error) {
    if ((error as { code?: string }).code !== duplicateDatabase) throw error
  }
}

const duplicateDatabase = '42P04'

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const states: Record<string, 'ready' | 'empty' | 'busy'> = {
  '53300': 'ready', // too_many_connections
  '3D000': 'empty', // invalid_catalog_name
  '57P03': 'busy', // cannot_connect_now
}

async function withClient<T>(
  connection: EmbeddedConnection,
  use: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres({ ...connection, max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  try {
    return await use(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
