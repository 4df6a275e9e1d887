import { pino } from 'pino'
import { z } from 'zod'
import { Email } from '../../contract/email.ts'
import { restoreAccount, suspendAccount } from '../auth/suspension.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { createStore } from '../integrations/storage/createStore.ts'
import { readSecret } from '../process/secret.ts'
import { deleteAccount } from '../profiles/deleteAccount.ts'
import { print } from './print.ts'
import { Refusal, refuse, runCommand } from './runCommand.ts'

interface Account {
  id: string
  email: string | null
  /** A name for messages. */
  name: string
}

/** `npm run account -- suspend|restore|delete EMAIL` */
const commands: Record<string, (db: Database, account: Account, env: Env) => Promise<string>> = {
  async suspend(db, { id, name }) {
    return (await suspendAccount(db, id))
      ? `${name} is suspended, and signed out everywhere within five seconds.`
      : `${name} was suspended already.`
  },
  async restore(db, { id, name }) {
    return (await restoreAccount(db, id)) ? `${name} may sign in again.` : `${name} was not suspended.`
  },
  async delete(db, { id, email, name }, env) {
    await deleteAccount(
      db,
      createStore(env, pino({ level: 'silent' }), readSecret(env)),
      id,
      email ?? 'DELETE',
    )
    return `${name} is deleted, with everything that belonged to it.`
  },
}

const [name = '', whom = '', ...more] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (command && whom && more.length === 0) {
  await runCommand(process.env, async (env, { db }) =>
    print(await command(db, await findAccount(db, whom), env)),
  )
} else {
  refuse(
    'Usage: npm run account -- suspend|restore|delete EMAIL\nFor an account without an e-mail give its id, a number.',
  )
}

async function findAccount(db: Database, given: string): Promise<Account> {
  const isId = /^[1-9]\d{0,17}$/.test(given)
  const [found] = await db<{ id: string; email: string | null }[]>`
    select id, email from users where ${isId ? db`id = ${given}` : db`email = ${z.safeParse(Email, given).data ?? given}`}`
  if (!found) throw new Refusal(`There is no account ${given}.`)
  return { ...found, name: found.email ?? `Account ${found.id}` }
}
