import { resolve } from 'node:path'
import type { Env } from '../env.ts'
import { type ConnectionTarget, connect, type Database } from './connection.ts'
import { embeddedConnection } from './embedded/embeddedConnection.ts'
import { findOwner } from './embedded/ownership.ts'
import { migrateDatabase } from './migrate.ts'
import { openDatabase } from './openDatabase.ts'

export interface ProgramDatabase {
  db: Database
  target: ConnectionTarget
  /** The address of the running server; null when none runs or it is still starting. */
  address: string | null
  close(): Promise<void>
}

/**
 * The database for a command-line program: the running server's, else one started for the program and brought up to
 * date. It is one connection, and never a pooler's where a direct address is configured, so temporary tables and
 * session settings last.
 */
export async function openForProgram(env: Env): Promise<ProgramDatabase> {
  const owner = await findOwner(env.DATA_DIR)
  const address = owner?.address || null
  const target =
    env.DATABASE_DIRECT_URL ??
    env.DATABASE_URL ??
    (owner ? await embeddedConnection(resolve(env.DATA_DIR)) : null)
  if (target !== null) {
    const db = connect(target, { max: 1 })
    return { db, target, address, close: () => db.end({ timeout: 5 }) }
  }
  const own = await openDatabase({ ...env, DATABASE_POOL: 1 }, () => {})
  try {
    await migrateDatabase(own.target)
  } catch (error) {
    await own.close()
    throw error
  }
  // Not the server's settings: a program scans whole tables where the server looks rows up.
  const db = connect(own.target, { max: 1 })
  return {
    db,
    target: own.target,
    address,
    async close() {
      await db.end({ timeout: 5 })
      await own.close()
    },
  }
}
