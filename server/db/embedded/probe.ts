import { Client, escapeIdentifier } from 'pg'
import type { ServerAddress } from '../target.ts'

/** Where a client finds the embedded database: the folder of the unix socket, or 127.0.0.1 on Windows. */
export type EmbeddedConnection = ServerAddress

/**
 * The server's state: 'ready'; 'empty', running but without our database; 'busy', starting or shutting down; 'down',
 * no response.
 */
export async function probe(connection: EmbeddedConnection): Promise<'ready' | 'empty' | 'busy' | 'down'> {
  try {
    await withClient(connection, (client) => client.query('select'))
    return 'ready'
  } catch (error) {
    return statesByCode[(error as { code?: string }).code ?? ''] ?? 'down'
  }
}

/** Creates our database beside the maintenance one; one that is there already is fine. */
export async function createDatabase(connection: EmbeddedConnection): Promise<void> {
  try {
    await withClient({ ...connection, database: 'postgres' }, (client) =>
      client.query(`create database ${escapeIdentifier(connection.database)}`),
    )
  } catch (error) {
    if ((error as { code?: string }).code !== duplicateDatabase) throw error
  }
}

const duplicateDatabase = '42P04'

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const statesByCode: Record<string, 'ready' | 'empty' | 'busy'> = {
  '53300': 'ready', // too_many_connections
  '3D000': 'empty', // invalid_catalog_name
  '57P03': 'busy', // cannot_connect_now
}

async function withClient(
  { username, ...address }: EmbeddedConnection,
  use: (client: Client) => Promise<unknown>,
): Promise<void> {
  const client = new Client({ ...address, user: username, ssl: false, connectionTimeoutMillis: 5000 })
  // A broken connection fails the statement too; without a listener it would crash the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await use(client)
  } finally {
    await client.end()
  }
}
