import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import type { Database } from '../db/connection.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { openBeside } from '../db/openBeside.ts'
import { loadCatalogue } from '../discovery/loadCatalogue.ts'
import type { Env } from '../env.ts'
import { packageFolder } from '../packageFolder.ts'

/**
 * The database for one command, on one connection: of the server that runs, else started for it alone. One
 * that no server has seen yet gets the schema and the starter catalogue first, as the server would do.
 */
export async function openCatalogue(env: Env): Promise<{ db: Database; close(): Promise<void> }> {
  const { db, target, close } = await openBeside(env)
  try {
    // A long import and a dry run keep what they have seen in temporary tables. Memory is taken as they grow,
    // and how much it may be can only be said before the first of them.
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
