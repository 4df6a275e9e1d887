import type { AccountAction } from '../../contract/admin.ts'
import { foldText } from '../../contract/foldText.ts'
import { appointSteward, dismissSteward, restoreAccount, suspendAccount } from '../auth/accountRights.ts'
import { endSessions } from '../auth/sessions.ts'
import type { Database, Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { eraseAccount, lockAccount } from '../profiles/deleteAccount.ts'
import { accountName, noSuchAccount } from './accounts.ts'
import { type Actor, writeAuditLog } from './auditLog.ts'

/** Each returns whether it changed something. */
const ACTION_EFFECTS: Record<
  AccountAction,
  (tx: Queryable, userId: string, by: 'operator') => Promise<boolean>
> = {
  suspend: suspendAccount,
  restore: restoreAccount,
  'sign-out': endSessions,
  steward: appointSteward,
  unsteward: dismissSteward,
}

/** What the page refuses to do to operators. */
const FORBIDDEN_ON_OPERATORS: readonly AccountAction[] = ['suspend', 'sign-out']

/**
 * Applies an operator's action, and records it in the audit log if it changed something (accounts-4, accounts-5).
 * @throws HttpError 404 for an unknown account, 409 for one that the operator must not touch.
 */
export async function actOnAccount(
  db: Database,
  env: Env,
  actor: Actor,
  userId: string,
  action: AccountAction,
): Promise<boolean> {
  return db.begin(async (tx) => {
    const [account] = await tx<TargetAccount[]>`
      select id, first_name, last_name, email from users where id = ${userId} for update`
    if (!account) throw noSuchAccount()
    if (FORBIDDEN_ON_OPERATORS.includes(action)) requireCanAct(env, actor, account)
    const isChanged = await ACTION_EFFECTS[action](tx, userId, 'operator')
    if (isChanged) {
      const label = accountName(account)
      await writeAuditLog(tx, actor, { subject: 'account', subjectId: userId, label, action })
    }
    return isChanged
  })
}

/**
 * Deletes an account as its owner could (people-18). A command needs no `confirmation`.
 * @throws HttpError 400 when it is not the account's name, 404 and 409 like `actOnAccount`.
 */
export async function deleteAnyAccount(
  db: Database,
  env: Env,
  actor: Actor,
  userId: string,
  confirmation: string | null,
): Promise<void> {
  await db.begin(async (tx) => {
    const account = await lockAccount(tx, userId)
    if (!account) throw noSuchAccount()
    requireCanAct(env, actor, account)
    const name = accountName(account)
    if (confirmation !== null && foldText(confirmation) !== foldText(name))
      throw new HttpError(400, 'Please type the name of the account.')
    await eraseAccount(tx, account)
    // No entry about a deleted account has its name or number (desk-19).
    await writeAuditLog(tx, actor, {
      subject: 'account',
      subjectId: null,
      label: 'A deleted account',
      action: 'delete',
    })
  })
}

/** The full address of an account. The audit log records who has seen it (accounts-3). */
export async function revealEmail(db: Database, actor: Actor, userId: string): Promise<string | null> {
  return db.begin(async (tx) => {
    const [account] = await tx<TargetAccount[]>`
      select id, first_name, last_name, email from users where id = ${userId}`
    if (!account) throw noSuchAccount()
    const label = accountName(account)
    if (account.email !== null)
      await writeAuditLog(tx, actor, { subject: 'account', subjectId: userId, label, action: 'email' })
    return account.email
  })
}

interface TargetAccount {
  id: string
  firstName: string | null
  lastName: string | null
  email: string | null
}

/** Operators cannot lock out themselves or each other, except by a command (accounts-4). */
function requireCanAct({ DIAGNOSTIC_EMAILS }: Env, actor: Actor, { id, email }: TargetAccount): void {
  if (actor === null) return
  if (id === actor) throw new HttpError(409, 'This is your own account. Use your profile page.')
  if (email !== null && DIAGNOSTIC_EMAILS.includes(email))
    throw new HttpError(409, 'This person runs the service too. Only npm run account can do this to them.')
}
