import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import type { Database } from '../db/connection.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { openForProgram } from '../db/openForProgram.ts'
import { loadCatalogue } from '../discovery/loadCatalogue.ts'
import type { Env } from '../env.ts'
import { packageFolder } from '../packageFolder.ts'

/**
 * The database for one command, on one connection: that of the running server, else a temporarily started one. A
 * new database first gets the schema and the starter catalogue.
 */
export async function openCatalogue(env: Env): Promise<{ db: Database; close(): Promise<void> }> {
  const { db, target, close } = await openForProgram(env, { mayCreate: true })
  try {
    // Imports and dry runs keep state in temporary tables. This is a maximum; it can only be set before the first
    // of them is used.
    await db`set temp_buffers = '256MB'`
    await migrateDatabase(target)
    const [known] = await db`select from microgenres limit 1`
    if (!known) await loadCatalogue(db, readCatalogue(packageFolder('catalogue')))
    return { db, close }
  } catch (error) {
    await close()
    throw error
  }
}
