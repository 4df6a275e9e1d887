import { createHmac } from 'node:crypto'
import { MAX_REACHED_LIMITS, type ReachedLimit } from '../../contract/admin.ts'
import { maskEmail } from '../auth/maskEmail.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { allLimits, clearLimit, type Limit, listReachedLimits } from '../http/limits/limits.ts'
import { accountName } from './accounts.ts'
import { type Actor, writeAuditLog } from './auditLog.ts'

type ReachedCounter = ReachedLimit & {
  /** The row of the counter, which may hold an address: it stays on the server. */
  key: string
  userId: string | null
}

/** The reached limits, those with the longest wait first (accounts-6). */
export async function readReachedLimits(db: Queryable, secret: string): Promise<ReachedLimit[]> {
  const reached = await findReachedLimits(db, secret)
  return reached.map(({ key: _, userId: __, ...row }) => row)
}

/** Resets the counter of a reached limit. @throws HttpError 404 when the limit is over already. */
export async function clearReachedLimit(
  db: Database,
  secret: string,
  actor: Actor,
  id: string,
): Promise<void> {
  const reached = (await findReachedLimits(db, secret)).find((one) => one.id === id)
  if (!reached) throw noSuchLimit()
  await db.begin(async (tx) => {
    if (!(await clearLimit(tx, reached.key))) throw noSuchLimit()
    const label = `${reached.counts} (${reached.who})`
    await writeAuditLog(tx, actor, { subject: 'limit', subjectId: reached.userId, label, action: 'clear' })
  })
}

const noSuchLimit = () => new HttpError(404, 'This limit is over already.')

async function findReachedLimits(db: Queryable, secret: string): Promise<ReachedCounter[]> {
  const rows = await listReachedLimits(db, MAX_REACHED_LIMITS)
  const limits = new Map(allLimits().map((limit) => [limit.name, limit]))
  const counters = rows.flatMap((row) => {
    const limit = limits.get(row.key.split(':', 1)[0] ?? '')
    if (!limit) return []
    const subject = row.key.slice(limit.name.length + 1)
    // An address may follow the network that used it.
    return [{ ...row, limit, subject: limit.per === 'address' ? (subject.split(':').at(-1) ?? '') : subject }]
  })
  const subjectsOf = (per: Limit['per']) =>
    counters.filter(({ limit }) => limit.per === per).map(({ subject }) => subject)
  const people = await readCountedPeople(db, subjectsOf('listener'), subjectsOf('address'))
  return counters.map(({ key, count, until, limit, subject }) => ({
    id: createHmac('sha256', secret).update(`limit ${key}`).digest('base64url'),
    counts: limit.counts,
    who:
      limit.per === 'listener'
        ? (people.get(subject)?.name ?? 'A deleted account')
        : maskSubject(limit, subject),
    used: count,
    max: limit.max,
    until: until.toISOString(),
    key,
    userId: people.get(subject)?.id ?? null,
  }))
}

/** Accounts by their ids and by their addresses. */
async function readCountedPeople(db: Queryable, ids: string[], emails: string[]) {
  const people = await db<
    { id: string; email: string | null; firstName: string | null; lastName: string | null }[]
  >`
    select id, email, first_name, last_name from users
    where id = any(${ids}::bigint[]) or email = any(${emails}::text[])`
  return new Map(
    people.flatMap((person) => {
      const account = { id: person.id, name: accountName(person) }
      return [person.id, person.email ?? ''].map((subject) => [subject, account] as const)
    }),
  )
}

/** Recognisable only for those who know the address or the network. */
function maskSubject({ per }: Limit, subject: string): string {
  if (per === 'address') return maskEmail(subject)
  if (per === 'all') return subject
  return subject.includes(':')
    ? `${subject.split(':').slice(0, 2).join(':')}:…`
    : subject.replace(/\d+$/, '…')
}
