import { z } from 'zod'
import { Email } from '../../contract/email.ts'
import { LINK_MINUTES } from '../auth/cookies.ts'
import { createLink, linkAddress } from '../auth/magicLink.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { print } from '../process/log.ts'
import { CommandError, runCommand, showUsage } from './runCommand.ts'

/** `npm run sign-in-link -- EMAIL`: prints a sign-in link, for when mail does not work. */
const args = process.argv.slice(2)
const email = z.safeParse(Email, args[0])

if (email.success && args.length === 1) {
  await runCommand(process.env, async (env, { db, address }) => {
    await requireMaySignIn(db, env, email.data)
    const token = await createLink(db, email.data, null)
    print(linkAddress((address ?? env.publicUrl).replace(/\/+$/, ''), token))
    process.stderr.write(
      `This link signs in as ${email.data}. It works once, for ${LINK_MINUTES} minutes.${address ? '' : ' No server is running: start one with npm start.'}\n`,
    )
  })
} else showUsage('Usage: npm run sign-in-link -- EMAIL')

async function requireMaySignIn(db: Database, env: Env, address: string): Promise<void> {
  const [account] = await db<{ suspended: boolean }[]>`
    select suspended_at is not null as suspended from users where email = ${address}`
  if (!account && env.REGISTRATION !== 'open') {
    throw new CommandError(
      `There is no account ${address}, and REGISTRATION is ${env.REGISTRATION}. Run "npm run account -- invite ${address}" first.`,
    )
  }
  if (account?.suspended) {
    throw new CommandError(`${address} is suspended. Run "npm run account -- restore ${address}" first.`)
  }
}
