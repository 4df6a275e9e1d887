import cluster from 'node:cluster'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { readCatalogue } from '../catalogue/readCatalogue.ts'
import { writeAchievementRules } from './achievements/achievements.ts'
import { buildApp } from './app.ts'
import { canHavePasskeys, passkeySite, preloadWebauthn } from './auth/verifyPasskey.ts'
import { logFolderFault } from './backups/backUp.ts'
import { loadCatalogue } from './catalogue/loadCatalogue.ts'
import { startRollUp } from './community/rollUp.ts'
import { withDatabase } from './db/connection.ts'
import { dropUnusedFunctions } from './db/functions.ts'
import { migrateDatabase } from './db/migrate.ts'
import { acquireDataDir, joinDataDir, openDatabase } from './db/openDatabase.ts'
import { BadEnvironment, type Env } from './env.ts'
import { Metrics } from './http/metrics.ts'
import { startImports } from './imports/runImports.ts'
import { createIntegrations } from './integrations/integrations.ts'
import type { SignInProviders } from './integrations/signIn/providers.ts'
import { serverJobs } from './jobs.ts'
import { packagePath, VERSION } from './packagePath.ts'
import { createLog, print } from './process/log.ts'
import { repeat } from './process/repeat.ts'
import { runJobs } from './process/runJobs.ts'
import { readSecret } from './process/secret.ts'
import {
  EXIT_OUTPUT_CLOSED,
  endInOrder,
  exitAfter,
  stopOnSignal,
  whenOutputCloses,
} from './process/shutdown.ts'
import { RETIRE_MESSAGE } from './process/supervise.ts'

/** One server process, alone or one of several. */
export async function serve(env: Env): Promise<void> {
  // Of several processes, the first one prints.
  const isFirstProcess = cluster.isPrimary || env.PROCESSES === 1 || cluster.worker?.id === 1
  const printOnce = isFirstProcess ? print : () => {}
  const destination = pino.destination({ sync: false })
  const outputClosed = whenOutputCloses([process.stdout, destination])
  const log = createLog(env.LOG_LEVEL, destination)

  if (cluster.isPrimary) print('preparing the database')
  const database = await openDatabase(
    env,
    (message, details) => log.info(details ?? {}, message),
    cluster.isPrimary ? acquireDataDir : joinDataDir,
  )
  const { db, background, read } = database
  try {
    await migrateDatabase(database.target, {
      // The process that migrates, which others wait for.
      onWait: () => print('waiting for another session, such as a backup, to release the tables'),
    })
    await writeAchievementRules(db)
    printOnce('loading the catalogue')
    const report = await loadCatalogue(db, readCatalogue(packagePath('catalogue')))
    log.info(report, 'catalogue loaded')

    const secret = readSecret(env)
    const integrations = createIntegrations(env, log, db, secret)
    const context = { env, db, read, log, integrations, secret }
    const metrics = new Metrics({ poolSize: env.DATABASE_POOL })
    let isStopping = false
    // Whether another process replaces this one at its address.
    let isRetiring = false
    const app = await buildApp(context, {
      // The primary process serves pages only in development.
      pages: cluster.isPrimary ? 'development' : 'built',
      metrics,
      isStopping: () => isStopping && !isRetiring,
      endsConnections: () => isStopping,
    })
    // Before the jobs start: a failure here closes the database.
    await app.listen({ port: env.PORT, host: env.HOST }).catch((error: unknown) => {
      throw explainListenError(error, env)
    })
    if (canHavePasskeys(passkeySite(env))) preloadWebauthn()
    const stopJobs = [
      startRollUp(background, log),
      runJobs(db, serverJobs(context), log),
      startImports(context),
      // Each version says that its functions are used.
      repeat(() => withDatabase(database.target, dropUnusedFunctions), {
        interval: HOUR,
        failure: 'unused database functions were not dropped; will retry',
        log,
      }),
      // No job: with a bucket each machine has a disk of its own.
      repeat(() => integrations.store.disk.sweep(), {
        interval: HOUR,
        failure: 'the disk was not swept; will retry',
        log,
      }),
    ]
    await logFolderFault(env, log)
    const { port } = app.server.address() as AddressInfo
    const address = env.PUBLIC_URL ?? `http://localhost:${port}`
    database.setAddress(address)
    for (const line of readyMessages(env, address, integrations.signIn)) printOnce(line)

    let drain = env.DRAIN_SECONDS
    const stop = exitAfter(async () => {
      printOnce('stopping')
      isStopping = true
      // The load balancer sees /ready fail, and connections end with a response.
      await wait(drain * 1000)
      const problems = await endInOrder([
        {
          name: 'running calls',
          timeout: CALLS_TIMEOUT,
          end: () => app.close(),
          force: () => app.server.closeAllConnections(),
        },
        {
          name: 'background jobs',
          timeout: JOBS_TIMEOUT,
          end: () => Promise.all(stopJobs.map((end) => end())),
        },
      ])
      for (const line of problems) log.warn(`stopping: ${line}`)
      await database.close()
      log.flush()
    })
    stopOnSignal(stop)
    process.on('message', (message) => {
      if (message !== RETIRE_MESSAGE) return
      isRetiring = true
      drain = Math.max(drain, RETIRE_SECONDS)
      stop()
    })
    void outputClosed.then(() => {
      if (cluster.isWorker) process.exitCode = EXIT_OUTPUT_CLOSED
      stop()
    })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Tells the operator what to do about an address that is in use or not allowed. */
function explainListenError(error: unknown, { PORT, HOST }: Env): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${PORT} of ${HOST} is in use. Stop the other program, or set PORT to another port.`,
    )
  if (code === 'EACCES')
    return new BadEnvironment(`This user may not use port ${PORT}. Set PORT to a port from 1024 on.`)
  return error
}

/** Seconds in which connections of a replaced process move to the other processes. */
const RETIRE_SECONDS = 5

const HOUR = 60 * 60_000

/** Milliseconds that shutdown waits for open calls and for jobs. Calls and statements have five seconds. */
const CALLS_TIMEOUT = 8000
const JOBS_TIMEOUT = 6000

/** The lines that the terminal shows when the server is ready. */
function readyMessages(env: Env, address: string, providers: SignInProviders): string[] {
  const ready = [`Banger or Bust ${VERSION} is ready at ${address}`, ...env.misspelt, ...missingSettings(env)]
  if (env.SMTP_URL) return ready
  return [
    ...ready,
    env.production
      ? `No mail server is configured (SMTP_URL): ${signInHint(env, providers)}`
      : 'No mail server is configured: the sign-in screen shows the sign-in link.',
  ]
}

/** Reminders of settings that a public service needs (screens-9, diagnostics-1). */
function missingSettings(env: Env): string[] {
  const { production, CONTACT_EMAIL, OPERATOR_NAME, DIAGNOSTIC_EMAILS, BACKUP_DIR, DATABASE_URL } = env
  const reminders: [isSet: boolean, line: string][] = [
    [
      CONTACT_EMAIL !== undefined,
      'Please set CONTACT_EMAIL: people without an account reach you only by the form on /privacy. Read their messages with npm run feedback.',
    ],
    [Boolean(OPERATOR_NAME), 'Please set OPERATOR_NAME: /privacy does not say who runs this service.'],
    [
      DIAGNOSTIC_EMAILS.length > 0,
      'The diagnostic pages are closed until DIAGNOSTIC_EMAILS names who may open them.',
    ],
    [
      BACKUP_DIR !== undefined || DATABASE_URL !== undefined,
      'Please set BACKUP_DIR: the server does not back up its database.',
    ],
  ]
  return production ? reminders.flatMap(([isSet, line]) => (isSet ? [] : [line])) : []
}

function signInHint(env: Env, providers: SignInProviders): string {
  const names = Object.entries(providers).flatMap(([name, provider]) =>
    provider ? [name === 'oidc' ? env.OIDC_NAME : name] : [],
  )
  const ways = [
    ...names,
    ...(canHavePasskeys(passkeySite(env)) ? ['a passkey'] : []),
    'a link from npm run sign-in-link',
  ]
  return `people can sign in only with ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ways)}.`
}
