import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { repeat } from '../process/repeat.ts'
import { runProgram } from '../process/runProgram.ts'
import { isDue } from './backUp.ts'

const INTERVAL = 10 * 60_000

/**
 * Looks every ten minutes whether a backup is due, and takes it in a process of its own, so that no call waits. Returns a
 * function that stops it.
 */
export function startBackups(db: Database, env: Env, log: Logger): () => Promise<void> {
  const ending = new AbortController()
  const end = repeat(() => backUpWhenDue(db, env, log, ending.signal), {
    interval: INTERVAL,
    failure: 'the backup could not be started; will retry',
    log,
  })
  return async () => {
    ending.abort()
    await end()
  }
}

async function backUpWhenDue(db: Database, env: Env, log: Logger, signal: AbortSignal): Promise<void> {
  if (!(await isDue(db, env.BACKUP_EVERY))) return
  const { code, output, errors } = await runProgram('backup', ['--when-due'], signal)
  if (signal.aborted) return
  // Another process may have taken it.
  if (output) log.info(output)
  if (code !== 0) log.error({ err: errors }, 'the backup failed, or was not proven')
}
