import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFolder } from '../packageFolder.ts'

export interface Migration {
  /** When it was generated: its key in the table of applied migrations. */
  when: number
  /** Of its file. */
  hash: string
  statements: string[]
}

/** The migrations that drizzle-kit generated, in order. */
export function readMigrations(): Migration[] {
  const read = (name: string) => readFileSync(packageFolder(`server/db/migrations/${name}`), 'utf8')
  const { entries } = JSON.parse(read('meta/_journal.json')) as { entries: { tag: string; when: number }[] }
  return entries.map(({ tag, when }) => {
    const text = read(`${tag}.sql`)
    const hash = createHash('sha256').update(text).digest('hex')
    return { when, hash, statements: text.split('--> statement-breakpoint') }
  })
}
