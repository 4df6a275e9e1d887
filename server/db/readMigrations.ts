import { createHash } from 'node:crypto'
import { readPackageText } from '../packagePath.ts'

export interface Migration {
  /** When it was generated: its key in the table of applied migrations. */
  when: number
  /** Of its file. */
  hash: string
  statements: string[]
  /** Whether each statement is a transaction of its own. Interrupted, it is run again from its first one. */
  isOutsideTransaction: boolean
}

/** The first line of a migration that runs outside of a transaction. */
export const OUTSIDE_TRANSACTION = '-- outside of a transaction'

/** The migrations that drizzle-kit generated, in order. The first is the baseline. */
export function readMigrations(): Migration[] {
  const read = (name: string) => readPackageText(`server/db/migrations/${name}`)
  const { entries } = JSON.parse(read('meta/_journal.json')) as { entries: { tag: string; when: number }[] }
  return entries.map(({ tag, when }) => makeMigration(when, read(`${tag}.sql`)))
}

export function makeMigration(when: number, text: string): Migration {
  return {
    when,
    hash: createHash('sha256').update(text).digest('hex'),
    statements: text.split('--> statement-breakpoint'),
    isOutsideTransaction: text.startsWith(OUTSIDE_TRANSACTION),
  }
}

/** The last migration of version 0.1. The baseline has the same tables. */
const LAST_0_1_MIGRATION = '328edbf66978fd4843b1d5afaea1b549c57f86e76154a091610549450e20b675'

/** Whether these applied migrations, in order, are all of version 0.1. */
export const endAtVersion01 = (applied: readonly { hash: string }[]) =>
  applied.at(-1)?.hash === LAST_0_1_MIGRATION
