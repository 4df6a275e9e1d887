import { parseArgs } from 'node:util'
import { z } from 'zod'
import {
  type Account,
  type AccountAction,
  ADMIN_PAGE_SIZE,
  INVITATION_DAYS,
  INVITATION_USES,
  MAX_NOTE_LENGTH,
} from '../../contract/admin.ts'
import { Email } from '../../contract/email.ts'
import { cleanLine } from '../../contract/texts.ts'
import { listAccounts } from '../admin/accounts.ts'
import { actOnAccount, deleteAnyAccount } from '../admin/actOnAccount.ts'
import { writeAuditLog } from '../admin/auditLog.ts'
import { createInvitation, listInvitations, revokeInvitation } from '../admin/invitations.ts'
import { findAccount, findOrCreateAccount } from '../auth/accounts.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { print, printable } from '../process/log.ts'
import { CommandError, runCommand, showUsage } from './runCommand.ts'

const USAGE = `Usage: npm run account -- COMMAND
  list [SEARCH] [--before NUMBER]   accounts, newest first: all, or by a whole e-mail, a number or a part of a name
  suspend|restore|sign-out|steward|unsteward|delete EMAIL
  invite EMAIL                      creates the account of an address
  invite [--note TEXT] [--days ${INVITATION_DAYS.default}] [--uses ${INVITATION_USES.default}]   prints a link, for REGISTRATION=invite
  invitations                       the newest invitations
  revoke NUMBER                     revokes an invitation
An account without an e-mail is named by its numeric id.`

interface CommandInput {
  db: Database
  env: Env
  /** The argument after the command; empty without one. */
  name: string
  options: { note?: string | undefined; days: number; uses: number; before: string | null }
}

/** What each prints after it changed something, and after it did not (accounts-7). */
const ACTION_MESSAGES: Record<
  AccountAction,
  [done: (name: string) => string, already: (name: string) => string]
> = {
  suspend: [
    (name) => `${name} is suspended and will be signed out everywhere within five seconds.`,
    (name) => `${name} is already suspended.`,
  ],
  restore: [(name) => `${name} can sign in again.`, (name) => `${name} is not suspended.`],
  'sign-out': [
    (name) => `${name} will be signed out everywhere within five seconds.`,
    (name) => `${name} is signed in nowhere.`,
  ],
  steward: [
    (name) => `${name} is a steward now: /desk is open to them.`,
    (name) => `${name} is already a steward.`,
  ],
  unsteward: [
    (name) => `${name} is no steward any more, within five seconds.`,
    (name) => `${name} is no steward.`,
  ],
}

/** `npm run account`: accounts and invitations. */
const commands: Record<string, (input: CommandInput) => Promise<string>> = {
  ...Object.fromEntries(
    Object.entries(ACTION_MESSAGES).map(([action, [done, unchanged]]) => [
      action,
      async ({ db, env, name }: CommandInput) => {
        const account = await requireAccount(db, name)
        const isChanged = await actOnAccount(db, env, null, account.id, action as AccountAction)
        return (isChanged ? done : unchanged)(account.name)
      },
    ]),
  ),
  async delete({ db, env, name }) {
    const account = await requireAccount(db, name)
    await deleteAnyAccount(db, env, null, account.id, null)
    return `${account.name} is deleted with all its data.`
  },
  async list({ db, env, name, options: { before } }) {
    const accounts = await listAccounts(db, env, { search: name, before })
    if (accounts.length === 0) return name === '' ? 'There are no accounts yet.' : 'There is no such account.'
    const more = accounts.length === ADMIN_PAGE_SIZE ? [`Older ones: --before ${accounts.at(-1)?.id}`] : []
    return printable([...accounts.map(formatAccount), ...more].join('\n'))
  },
  invite: ({ db, env, name, options }) =>
    name === '' ? makeLink(db, env, options) : createInAdvance(db, name),
  async invitations({ db }) {
    const invitations = await listInvitations(db, null)
    if (invitations.length === 0) return 'There are no invitations.'
    return printable(
      invitations
        .map(({ id, state, uses, maxUses, expiresAt, note }) =>
          [id, state, `${uses} of ${maxUses} used`, `until ${dayOf(expiresAt)}`, note]
            .filter(Boolean)
            .join('  '),
        )
        .join('\n'),
    )
  },
  async revoke({ db, name }) {
    if (!isNumber(name)) throw new CommandError(`${name} is not the number of an invitation.`)
    await revokeInvitation(db, null, name)
    return `Invitation ${name} makes no account any more.`
  },
}

/** Commands that work without a name. */
const COMMANDS_WITHOUT_NAME = ['list', 'invite', 'invitations']

const input = parseInput(process.argv.slice(2))
const command = input && Object.hasOwn(commands, input.command) ? commands[input.command] : undefined
if (input && command && (input.name !== '' || COMMANDS_WITHOUT_NAME.includes(input.command))) {
  await runCommand(process.env, async (env, { db }) => print(await command({ db, env, ...input })))
} else showUsage(USAGE)

function parseInput(args: string[]): (Omit<CommandInput, 'db' | 'env'> & { command: string }) | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        note: { type: 'string' },
        days: { type: 'string', default: String(INVITATION_DAYS.default) },
        uses: { type: 'string', default: String(INVITATION_USES.default) },
        before: { type: 'string' },
      },
    })
    const [command = '', name = '', ...more] = positionals
    const { note, before = null } = values
    const [days, uses] = [Number(values.days), Number(values.uses)]
    const isValid =
      more.length === 0 &&
      isCount(days, INVITATION_DAYS.max) &&
      isCount(uses, INVITATION_USES.max) &&
      (before === null || isNumber(before)) &&
      (note === undefined || cleanLine(note).length <= MAX_NOTE_LENGTH)
    return isValid ? { command, name, options: { note: note && cleanLine(note), days, uses, before } } : null
  } catch {
    return null
  }
}

function isNumber(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text)
}

function isCount(count: number, max: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= max
}

async function makeLink(db: Database, env: Env, options: CommandInput['options']): Promise<string> {
  const { link, expiresAt, maxUses } = await createInvitation(db, env.publicUrl, null, options)
  const hint =
    env.REGISTRATION === 'invite'
      ? ''
      : `\nREGISTRATION is ${env.REGISTRATION}: invitations count only while it is invite.`
  return `${link}\nIt makes ${maxUses === 1 ? 'one account' : `${maxUses} accounts`}, until ${dayOf(expiresAt)}. It is shown only once.${hint}`
}

/** The account waits for its owner (signin-16). */
async function createInAdvance(db: Database, input: string): Promise<string> {
  const { data: email } = z.safeParse(Email, input)
  if (!email) throw new CommandError(`${input} is not an e-mail address.`)
  if (await findAccount(db, email)) return `${email} already has an account.`
  await db.begin(async (tx) => {
    const id = await findOrCreateAccount(tx, email)
    await writeAuditLog(tx, null, {
      subject: 'account',
      subjectId: id,
      label: `Account ${id}`,
      action: 'create',
    })
  })
  return `${email} is invited, and can sign in from now on. No mail was sent.`
}

/** The account of an address or a number, with a name for messages. */
async function requireAccount(db: Database, input: string): Promise<{ id: string; name: string }> {
  const [found] = await db<{ id: string; email: string | null }[]>`
    select id, email from users where ${isNumber(input) ? db`id = ${input}` : db`email = ${z.safeParse(Email, input).data ?? input}`}`
  if (!found) throw new CommandError(`There is no account ${input}.`)
  return { id: found.id, name: found.email ?? `Account ${found.id}` }
}

function formatAccount({ id, name, email, createdAt, lastSeenAt, ratings, ...account }: Account): string {
  const facts = [
    `joined ${dayOf(createdAt)}`,
    lastSeenAt && `last seen ${dayOf(lastSeenAt)}`,
    `${ratings} ratings`,
    account.isSteward && 'steward',
    account.suspendedAt && 'suspended',
  ]
  return [id, name, email ?? 'no e-mail', facts.filter(Boolean).join(', ')].join('  ')
}

function dayOf(moment: string): string {
  return moment.slice(0, 10)
}
