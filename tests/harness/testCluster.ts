import { setTimeout as wait } from 'node:timers/promises'
import { type ConnectionTarget, connect, type Database } from '../../server/db/connection.ts'

/*
 * The database server of the tests may be the coordinator of a Citus cluster. Then each test database is a database on
 * every node, and the template is distributed.
 */

/**
 * The nodes of the cluster, the coordinator first; only `server` if it is none. The database of the address must have
 * the extension, and the nodes must be registered in it.
 */
export async function nodesOf(server: ConnectionTarget): Promise<ConnectionTarget[]> {
  if (typeof server !== 'string') return [server]
  const db = connect(server, { max: 1 })
  try {
    const extension = await db`select from pg_extension where extname = 'citus'`
    if (extension.length === 0) return [server]
    const workers = await db<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and noderole = 'primary' order by 2`
    return [server, ...workers.map(({ host, port }) => at(server, host, port))]
  } finally {
    await db.end({ timeout: 5 })
  }
}

function at(server: string, host: string, port: number): string {
  const url = new URL(server)
  url.hostname = host
  url.port = String(port)
  return url.href
}

export async function createEverywhere(
  nodes: readonly ConnectionTarget[],
  name: string,
  template?: string,
): Promise<void> {
  for (const node of nodes) {
    await maintenance(
      node,
      (db) => db`create database ${db(name)} ${template ? db`template ${db(template)}` : db``}`,
    )
  }
}

export async function dropEverywhere(nodes: readonly ConnectionTarget[], name: string): Promise<void> {
  for (const node of nodes) {
    await maintenance(node, async (db) => {
      for (let tries = 1; ; tries++) {
        try {
          await db`drop database if exists ${db(name)} with (force)`
          return
        } catch (error) {
          // The extension's own process has just come.
          if (nodes.length === 1 || tries === 20) throw error
          await wait(100)
        }
      }
    })
  }
}

/** Adds the extension to an empty database on every node, and makes the nodes a cluster. */
export async function joinNodes(nodes: readonly ConnectionTarget[], name: string): Promise<void> {
  if (nodes.length === 1) return
  const [coordinator, ...workers] = nodes.map((node) => new URL(databaseAt(node, name) as string))
  if (!coordinator) return
  for (const { href } of [...workers, coordinator]) {
    const db = connect(href, { max: 1 })
    await db`create extension citus`.finally(() => db.end({ timeout: 5 }))
  }
  const db = connect(coordinator.href, { max: 1, settings: { statement_timeout: '60000' } })
  try {
    await db`select citus_set_coordinator_host(${coordinator.hostname}, ${Number(coordinator.port)}::int)`
    for (const { hostname, port } of workers)
      await db`select citus_add_node(${hostname}, ${Number(port)}::int)`
  } finally {
    await db.end({ timeout: 5 })
  }
}

/** Ends the connections that the nodes keep to a database, because one with connections cannot be copied. */
export async function sealEverywhere(nodes: readonly ConnectionTarget[], name: string): Promise<void> {
  if (nodes.length === 1) return
  for (const node of nodes) {
    await maintenance(node, async (db) => {
      await db`alter database ${db(name)} allow_connections false`
      for (;;) {
        const open = await db`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
        if (open.length === 0) return
      }
    })
  }
}

/** Uses a database through one connection, as a program does. */
export async function withConnection<T>(
  target: ConnectionTarget,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  // Copying a template, and what tests write at once, takes longer than the server's statement timeout.
  const db = connect(target, { max: 1, settings: { statement_timeout: '60000' } })
  try {
    return await use(db)
  } finally {
    await db.end({ timeout: 5 })
  }
}

/** Another database of the same PostgreSQL. */
export function databaseAt(server: ConnectionTarget, database: string): ConnectionTarget {
  if (typeof server !== 'string') return { ...server, database }
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Runs statements that need neither a transaction nor our database: create and drop database. */
export const maintenance = <T>(server: ConnectionTarget, use: (db: Database) => Promise<T>): Promise<T> =>
  withConnection(databaseAt(server, 'postgres'), use)
