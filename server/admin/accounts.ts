import { z } from 'zod'
import { type Account, ADMIN_PAGE_SIZE } from '../../contract/admin.ts'
import type { ProviderName } from '../../contract/auth.ts'
import { Email } from '../../contract/email.ts'
import { foldText } from '../../contract/foldText.ts'
import type { Rank } from '../auth/accountRights.ts'
import { maskEmail } from '../auth/maskEmail.ts'
import type { Queryable } from '../db/connection.ts'
import { containsPattern, mayContain } from '../db/searchTexts.ts'
import type { Env } from '../env.ts'
import { HttpError } from '../http/HttpError.ts'
import { foldPeople } from '../profiles/listPublicUsers.ts'

interface AccountQuery {
  /** A whole address, the number of an account, or a part of a name (accounts-2). */
  search: string
  before: string | null
  only?: 'suspended' | undefined
}

type Operators = Pick<Env, 'DIAGNOSTIC_EMAILS'>

/**
 * The accounts, newest first.
 *
 * A frequent name has many matches in the index, which is unordered. So the newest two thousand accounts are searched
 * first.
 */
export async function listAccounts(
  db: Queryable,
  env: Operators,
  { search, before, only }: AccountQuery,
): Promise<Account[]> {
  const email = z.safeParse(Email, search).data
  const id = /^(?:account )?([1-9]\d{0,17})$/i.exec(search)?.[1]
  if (search === '') return readAccounts(db, env, { before, only })
  if (email !== undefined) return readAccounts(db, env, { before, only, email })
  if (id !== undefined) return readAccounts(db, env, { before, only, id })
  const name = foldText(search)
  await foldPeople(db)
  const newest = await readAccounts(db, env, { before, only, name, among: 'newest' })
  return newest.length === ADMIN_PAGE_SIZE ? newest : readAccounts(db, env, { before, only, name })
}

/** @throws HttpError 404 for an unknown account. */
export async function readAccount(db: Queryable, env: Operators, id: string): Promise<Account> {
  const [account] = await readAccounts(db, env, { id })
  if (!account) throw noSuchAccount()
  return account
}

export const noSuchAccount = () => new HttpError(404, 'There is no such account.')

/** The text in the index `users_folded_names`. */
const foldedName = (db: Queryable) => db`split_part(u.folded, chr(31), 1)`

interface Row {
  id: string
  firstName: string | null
  lastName: string | null
  email: string | null
  createdAt: Date
  lastSeenAt: Date | null
  sessions: number
  providers: string[]
  invitationId: string | null
  note: string | null
  isSteward: boolean
  suspendedAt: Date | null
  suspendedBy: Rank | null
}

interface AccountFilter {
  before?: string | null
  only?: AccountQuery['only']
  id?: string
  email?: string
  /** A part of a name, folded. */
  name?: string
  /** Where to look for it. */
  among?: 'newest' | 'all'
}

async function readAccounts(
  db: Queryable,
  env: Operators,
  { before = null, only, id, email, name, among = 'all' }: AccountFilter,
): Promise<Account[]> {
  const since = db`u.id < coalesce(${before}::bigint, 9223372036854775807)`
  const newest = db`(select * from users u where ${since} order by u.id desc limit 2000) u`
  // OFFSET 0 keeps the planner from reading everybody in order.
  const byIndex = db`(select * from users u where (u.first_name is not null or u.last_name is not null)
    and ${mayContain(db, foldedName(db), db`array[${name ?? ''}]`)} offset 0) u`
  const byName = among === 'newest' ? newest : byIndex
  const rows = await db<Row[]>`
    select u.id, u.first_name, u.last_name, u.email, u.created_at, u.invitation_id, i.note, u.is_steward, u.suspended_at,
      u.suspended_by,
      (select max(s.last_seen_at) from sessions s where s.user_id = u.id) as last_seen_at,
      coalesce((select count(*) from sessions s where s.user_id = u.id and s.expires_at > now()), 0)::int as sessions,
      array(select distinct split_part(p.provider, ' ', 1) from identities p where p.user_id = u.id order by 1)
        as providers
    from ${name === undefined ? db`users u` : byName} left join invitations i on i.id = u.invitation_id
    where ${since}
      ${only === 'suspended' ? db`and u.suspended_at is not null` : db``}
      ${id === undefined ? db`` : db`and u.id = ${id}`}
      ${email === undefined ? db`` : db`and u.email = ${email}`}
      ${name === undefined ? db`` : db`and ${foldedName(db)} like ${containsPattern(name)}`}
    order by u.id desc limit ${ADMIN_PAGE_SIZE}`
  const figures = await readFigures(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, email, providers, invitationId, note, createdAt, lastSeenAt, ...row }) => ({
    id,
    name: accountName({ id, ...row }),
    email: email === null ? null : maskEmail(email),
    createdAt: createdAt.toISOString(),
    lastSeenAt: laterOf(lastSeenAt, figures.get(id)?.lastDay ?? null)?.toISOString() ?? null,
    ratings: figures.get(id)?.ratings ?? 0,
    sessions: row.sessions,
    providers: providers as ProviderName[],
    invitation: invitationId === null ? null : (note ?? `Invitation ${invitationId}`),
    isSteward: row.isSteward,
    isOperator: email !== null && env.DIAGNOSTIC_EMAILS.includes(email),
    suspendedAt: row.suspendedAt?.toISOString() ?? null,
    isSuspendedBySteward: row.suspendedAt !== null && row.suspendedBy === 'steward',
  }))
}

/** A separate statement, because on a cluster accounts and their figures are on different nodes. */
async function readFigures(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, { ratings: number; lastDay: Date | null }>> {
  const rows = await db<{ userId: string; ratings: number; lastDay: Date | null }[]>`
    select t.user_id, t.total_ratings as ratings, d.day::timestamptz as last_day
    from listener_stats t left join listener_last_days d on d.user_id = t.user_id
    where t.user_id = any(${ids as string[]}::bigint[])`
  return new Map(rows.map(({ userId, ...figures }) => [userId, figures]))
}

const laterOf = (one: Date | null, other: Date | null) =>
  one && other ? (one > other ? one : other) : (one ?? other)

interface Named {
  id: string
  firstName: string | null
  lastName: string | null
}

/** What operators call an account: the listener's name, or its number without one. Never the e-mail (accounts-3). */
export function accountName({ id, firstName, lastName }: Named): string {
  return [firstName?.trim(), lastName?.trim()].filter(Boolean).join(' ') || `Account ${id}`
}
