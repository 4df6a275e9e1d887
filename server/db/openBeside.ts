import { resolve } from 'node:path'
import type { Env } from '../env.ts'
import { type ConnectionTarget, connect, type Database } from './connection.ts'
import { embeddedConnection } from './embedded/embeddedConnection.ts'
import { findOwner } from './embedded/ownership.ts'
import { openDatabase } from './openDatabase.ts'

/**
 * The database for a program of the command line: the one of the server that runs, else started for it
 * alone. One connection, so what a program makes for its session is there in its next call.
 */
export async function openBeside(
  env: Env,
): Promise<{ db: Database; target: ConnectionTarget; close(): Promise<void> }> {
  const target =
    env.DATABASE_URL ??
    ((await findOwner(env.DATA_DIR)) ? await embeddedConnection(resolve(env.DATA_DIR)) : null)
  if (target === null) return openDatabase({ ...env, DATABASE_POOL: 1 }, () => {})
  const db = connect(target, { max: 1 })
  return { db, target, close: () => db.end({ timeout: 5 }) }
}
