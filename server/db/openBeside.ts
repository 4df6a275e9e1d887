import { resolve } from 'node:path'
import type { Env } from '../env.ts'
import { connect, type Database } from './connection.ts'
import { embeddedConnection } from './embedded/embeddedConnection.ts'
import { findOwner } from './embedded/ownership.ts'
import { openDatabase } from './openDatabase.ts'

/** The database for a program of the command line: the one of the server that runs, else started for it alone. */
export async function openBeside(env: Env): Promise<{ db: Database; close(): Promise<void> }> {
  const target =
    env.DATABASE_URL ??
    ((await findOwner(env.DATA_DIR)) ? await embeddedConnection(resolve(env.DATA_DIR)) : null)
  if (target === null) return openDatabase(env, () => {})
  const db = connect(target, { max: 1 })
  return { db, close: () => db.end({ timeout: 5 }) }
}
