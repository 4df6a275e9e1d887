import { pino } from 'pino'
import { z } from 'zod'
import { Email } from '../../contract/email.ts'
import { findAccount, findOrCreateAccount } from '../auth/accounts.ts'
import { dismissSteward, nameSteward } from '../auth/stewards.ts'
import { restoreAccount, suspendAccount } from '../auth/suspension.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { createStore } from '../integrations/storage/createStore.ts'
import { readSecret } from '../process/secret.ts'
import { deleteAccount } from '../profiles/deleteAccount.ts'
import { print } from './print.ts'
import { CommandError, fail, runCommand } from './runCommand.ts'

interface Account {
  id: string
  email: string | null
  /** A name for messages. */
  name: string
}

/** `npm run account -- suspend|restore|steward|unsteward|delete EMAIL`, for an account that exists */
const commands: Record<string, (db: Database, account: Account, env: Env) => Promise<string>> = {
  async suspend(db, { id, name }) {
    return (await db.begin((tx) => suspendAccount(tx, id)))
      ? `${name} is suspended and will be signed out everywhere within five seconds.`
      : `${name} is already suspended.`
  },
  async restore(db, { id, name }) {
    return (await restoreAccount(db, id)) ? `${name} can sign in again.` : `${name} is not suspended.`
  },
  async steward(db, { id, name }) {
    return (await nameSteward(db, id))
      ? `${name} is a steward now: /desk is open to them.`
      : `${name} is already a steward.`
  },
  async unsteward(db, { id, name }) {
    return (await dismissSteward(db, id))
      ? `${name} is no steward any more, within five seconds.`
      : `${name} is no steward.`
  },
  async delete(db, { id, email, name }, env) {
    await deleteAccount(
      db,
      createStore(env, pino({ level: 'silent' }), readSecret(env)),
      id,
      email ?? 'DELETE',
    )
    return `${name} is deleted with all its data.`
  },
}

const [name = '', accountName = '', ...more] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (name === 'invite' && accountName && more.length === 0) {
  await runCommand(process.env, async (_, { db }) => print(await invite(db, accountName)))
} else if (command && accountName && more.length === 0) {
  await runCommand(process.env, async (env, { db }) =>
    print(await command(db, await readAccount(db, accountName), env)),
  )
} else {
  fail(
    'Usage: npm run account -- invite|suspend|restore|steward|unsteward|delete EMAIL\nAn account without an e-mail is named by its numeric id.',
  )
}

/** An invitation is an account that waits for its owner (signin-16). */
async function invite(db: Database, given: string): Promise<string> {
  const { data: email } = z.safeParse(Email, given)
  if (!email) throw new CommandError(`${given} is not an e-mail address.`)
  if (await findAccount(db, email)) return `${email} already has an account.`
  await db.begin((tx) => findOrCreateAccount(tx, email))
  return `${email} is invited, and can sign in from now on. No mail was sent.`
}

async function readAccount(db: Database, given: string): Promise<Account> {
  const isId = /^[1-9]\d{0,17}$/.test(given)
  const [found] = await db<{ id: string; email: string | null }[]>`
    select id, email from users where ${isId ? db`id = ${given}` : db`email = ${z.safeParse(Email, given).data ?? given}`}`
  if (!found) throw new CommandError(`There is no account ${given}.`)
  return { ...found, name: found.email ?? `Account ${found.id}` }
}
