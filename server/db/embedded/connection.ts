import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import type { ConnectionTarget, ServerAddress } from '../target.ts'
import { type Address, clusterDirOf, clusterUser, readPassword } from './cluster.ts'

/** Where a client finds the embedded database: the folder of the unix socket, or 127.0.0.1 on Windows. */
export type EmbeddedConnection = ServerAddress

/**
 * The connection to the embedded database that runs in `dataDir`, for command-line programs.
 * @throws Error when none runs.
 */
export async function requireEmbeddedConnection(dataDir: string): Promise<EmbeddedConnection> {
  const dir = clusterDirOf(dataDir)
  const password = process.platform === 'win32' ? await readPassword(dir) : undefined
  const connection = await readConnection(dir, password)
  if (!connection) throw new Error(`No database runs in ${dir}.`)
  return connection
}

/** The connection that postmaster.pid names; null without that file. */
export async function readConnection(
  clusterDir: string,
  password?: string,
): Promise<EmbeddedConnection | null> {
  const file = await readPidFile(clusterDir)
  if (!file?.port) return null
  if (!file.socketFolder && process.platform !== 'win32') return null
  return connectionAt(file, password)
}

interface PidFile extends Address {
  pid: number
}

/**
 * The content of postmaster.pid, which a dead server may have left; null without that file. `socketFolder` is empty until
 * the server listens.
 */
export async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  const text = await readFile(path.join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  // https://www.postgresql.org/docs/18/storage-file-layout.html: pid, data folder, start, port, socket folder
  const lines = text.split('\n').map((line) => line.trim())
  return { pid: Number(lines[0]) || 0, port: Number(lines[3]) || 0, socketFolder: lines[4] ?? '' }
}

export function connectionAt({ socketFolder, port }: Address, password?: string): EmbeddedConnection {
  const connection = {
    host: socketFolder || '127.0.0.1',
    port,
    database: clusterUser,
    username: clusterUser,
  }
  return password === undefined ? connection : { ...connection, password }
}

/**
 * The server's state: 'ready'; 'empty' when our database does not exist yet; 'busy' while it starts or shuts down; 'down'
 * when it does not respond.
 */
export async function probe(connection: EmbeddedConnection): Promise<'ready' | 'empty' | 'busy' | 'down'> {
  try {
    await withClient(connection, (client) => client.query('select'))
    return 'ready'
  } catch (error) {
    return statesByCode[(error as { code?: string }).code ?? ''] ?? 'down'
  }
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const statesByCode: Record<string, 'ready' | 'empty' | 'busy'> = {
  '53300': 'ready', // too_many_connections
  '3D000': 'empty', // invalid_catalog_name
  '57P03': 'busy', // cannot_connect_now
}
const duplicateDatabase = '42P04'

/** Creates our database, unless it exists. */
export async function createDatabase(connection: EmbeddedConnection): Promise<void> {
  try {
    await withClient({ ...connection, database: 'postgres' }, (client) =>
      client.query(`create database ${escapeIdentifier(connection.database)}`),
    )
  } catch (error) {
    if ((error as { code?: string }).code !== duplicateDatabase) throw error
  }
}

/** The role that serves. initdb's role, which PostgreSQL does not let lose SUPERUSER, migrates, backs up and restores. */
const SERVER_ROLE = 'banger_server'

/** The embedded database as the role that serves; a database of the operator's as it is. */
export const asServer = (target: ConnectionTarget): ConnectionTarget =>
  typeof target === 'string' ? target : { ...target, username: SERVER_ROLE }

/** Creates the role that serves, unless it exists. It reads, writes and analyzes rows: no programs, no files. */
export async function createServerRole(connection: EmbeddedConnection): Promise<void> {
  const password = connection.password ? `password ${escapeLiteral(connection.password)}` : ''
  await withClient(connection, (client) =>
    client.query(`
      do $$ begin
        create role ${SERVER_ROLE} login ${password} in role pg_read_all_data, pg_write_all_data, pg_maintain;
      exception when duplicate_object or unique_violation then null;
      end $$`),
  )
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
