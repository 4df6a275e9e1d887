import { DatabaseError } from 'pg'
import { DatabaseUnavailable } from '../db/connections.ts'
import { openForProgram, type ProgramDatabase } from '../db/openForProgram.ts'
import { BadEnvironment, type Env, readEnv } from '../env.ts'
import { fileErrorMessage } from '../inputErrors.ts'
import { EXIT_WRONG_SETTINGS } from '../process/shutdown.ts'

/** The command cannot be carried out. The message says why. */
export class CommandError extends Error {}

/**
 * Runs a command-line program: reads the environment, opens the database, and runs `work`. Prints an error, and exits with 1
 * then.
 */
export async function runCommand(
  source: Record<string, string | undefined>,
  work: (env: Env, database: ProgramDatabase) => Promise<void>,
): Promise<void> {
  try {
    const env = readEnv(source)
    const database = await openForProgram(env)
    try {
      await work(env, database)
    } finally {
      await database.close()
    }
  } catch (error) {
    fail(messageOf(error))
  }
}

/** Prints the reason and makes the program exit with 1. */
export function fail(reason: string): void {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}

/** Prints the usage of a program and makes it exit with 2. */
export function showUsage(usage: string): void {
  fail(usage)
  process.exitCode = 2
}

/** The exit code of a server that could not start: 78 when only other settings help, 1 when trying again may. */
export function exitCodeOf(error: unknown): number {
  const code = error instanceof DatabaseError ? (error.code ?? '') : ''
  // The database refuses the name, the password or the name of the database.
  return error instanceof BadEnvironment || /^(28|3D)/.test(code) ? EXIT_WRONG_SETTINGS : 1
}

/** The error's message for operators. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  if (code === '42P01') return 'The database is empty. Start the server once, with npm start.'
  if (error instanceof DatabaseUnavailable) return `The database does not answer: ${error.message || code}`
  return fileErrorMessage(error) ?? error.message
}
