import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { repeat } from '../process/repeat.ts'
import { runProgram } from '../process/runProgram.ts'
import { isBackupDue } from './backUp.ts'
import { findFolderFault } from './findFolderFault.ts'

const CHECK_INTERVAL = 10 * 60_000

/**
 * Looks every ten minutes whether a backup is due, and takes it in a process of its own, so that no call waits. Says at
 * once when BACKUP_DIR cannot be used. Returns a function that stops it.
 */
export function startBackups(db: Database, env: Env, log: Logger): () => Promise<void> {
  let isStart = true
  const backUpWhenDue = async (signal: AbortSignal) => {
    if (await isBackupDue(db, env.BACKUP_EVERY)) await takeBackup(log, signal)
    // A backup that is due says it itself.
    else if (isStart) await logFolderFault(env, log)
    isStart = false
  }
  return repeat(backUpWhenDue, {
    interval: CHECK_INTERVAL,
    failure: 'the backup could not be started; will retry',
    log,
  })
}

async function takeBackup(log: Logger, signal: AbortSignal): Promise<void> {
  const { code, output, errors } = await runProgram('backup', ['--when-due'], signal)
  if (signal.aborted) return
  // Another process may have taken it.
  if (output) log.info(output)
  if (code !== 0) log.error({ err: errors }, 'the backup failed, or was not proven')
}

async function logFolderFault({ BACKUP_DIR }: Env, log: Logger): Promise<void> {
  const fault = BACKUP_DIR ? await findFolderFault(BACKUP_DIR) : null
  if (fault) log.error({ err: fault }, 'the next backup will fail')
}
