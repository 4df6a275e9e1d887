import { describeVideoChecks } from '../../contract/coverage.ts'
import { type Database, withDatabase } from '../db/connection.ts'
import { inspectDatabase } from '../db/inspectDatabase.ts'
import { NoDatabase, openForProgram } from '../db/openForProgram.ts'
import { readTarget } from '../db/target.ts'
import { readVideoChecks } from '../diagnostics/coverage.ts'
import type { Env } from '../env.ts'
import { checkBackup } from './checkBackup.ts'
import { type Finding, findingsFor, reasonOf } from './finding.ts'

/** Checks the database, its clock, and its backups. */
export async function checkDatabase(env: Env): Promise<Finding[]> {
  const { ok, warning, fault } = findingsFor('Database')
  const used = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL
  const where = used ? hostsOf(used) : `the embedded one in ${env.DATA_DIR}`
  const others = await Promise.all(
    [env.DATABASE_DIRECT_URL && env.DATABASE_URL, env.DATABASE_READ_URL].map(checkAddress),
  )
  try {
    const { db, target, address, close } = await openForProgram(env)
    try {
      const { version, incompatibility, missingPrivilege } = await withDatabase(target, inspectDatabase)
      const shared = address ? `, shared with the running server at ${address}` : ''
      const answers = incompatibility
        ? fault(incompatibility)
        : missingPrivilege
          ? warning(missingPrivilege)
          : ok(`PostgreSQL ${version}, ${where}${shared}`)
      return [
        answers,
        ...others.flat(),
        await checkClock(db),
        await describeVideos(env, db),
        await checkBackup(env, db),
      ]
    } finally {
      await close()
    }
  } catch (error) {
    if (error instanceof NoDatabase) return [warning(error.message)]
    return [
      fault(`${where} does not answer (${reasonOf(error)})`),
      ...others.flat(),
      await checkBackup(env, null),
    ]
  }
}

/** Checks another address than the one that programs use: of a pooler or a replica. */
async function checkAddress(address: string | undefined): Promise<Finding[]> {
  if (!address) return []
  const { ok, fault } = findingsFor('Database')
  try {
    await withDatabase(address, (db) => db`select`)
    return [ok(`${hostsOf(address)} answers, too`)]
  } catch (error) {
    return [fault(`${hostsOf(address)} does not answer (${reasonOf(error)})`)]
  }
}

function hostsOf(address: string): string {
  const hosts = readTarget(address).hosts.map(({ host, port }) => (port ? `${host}:${port}` : host))
  return [...new Set(hosts)].join(', ')
}

/** catalogue-19, diagnostics-27 */
export async function describeVideos({ CATALOGUE_VERIFY }: Env, db: Database): Promise<Finding> {
  const { ok, off } = findingsFor('Videos')
  const checks = await readVideoChecks(db).catch(() => null)
  if (!checks) return off('not known before the first start of this version')
  if (CATALOGUE_VERIFY) return ok(describeVideoChecks(checks))
  return off(`CATALOGUE_VERIFY is false: the server checks none. ${describeVideoChecks(checks)}`)
}

/** Milliseconds. The database's clock decides about expiry and limits, the server's about sign-in tokens. */
const MAX_CLOCK_SKEW = 2000

export async function checkClock(db: Database): Promise<Finding> {
  const { ok, warning } = findingsFor('Clock')
  const sent = Date.now()
  const [row] = await db<{ now: Date }[]>`select now()`
  const received = Date.now()
  // The database read its clock between the two.
  const skew = Math.abs((row?.now.getTime() ?? 0) - (sent + received) / 2) - (received - sent) / 2
  if (skew < MAX_CLOCK_SKEW) return ok("this machine's and the database's agree")
  return warning(
    `this machine's and the database's are ${Math.round(skew / 1000)} seconds apart: set both by NTP`,
  )
}
