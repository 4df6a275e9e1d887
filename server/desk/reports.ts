import type { BodyOf } from '../../contract/endpoint.ts'
import type { reportSubject } from '../../contract/reports.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { HttpError, serviceBusy } from '../http/HttpError.ts'
import { isShareToken } from '../sharing/shareTokens.ts'

/** Retries, because another report of the same may be closed meanwhile. */
const MAX_TRIES = 3

/**
 * Reports something to the desk; an open report of the same is returned unchanged (desk-8).
 * @throws HttpError 404 for what the listener cannot see.
 */
export async function submitReport(
  db: Database,
  listener: string,
  { subject, subjectId, reason }: BodyOf<typeof reportSubject>,
): Promise<{ id: string }> {
  const target = await TARGET_FINDERS[subject](db, subjectId, listener)
  if (!target) throw new HttpError(404, 'Not found.')
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const [inserted] = await db<{ id: string }[]>`
      insert into reports (user_id, subject, subject_id, reason) values (${listener}, ${subject}, ${target}, ${reason})
      on conflict do nothing returning id`
    if (inserted) return inserted
    const [open] = await db<{ id: string }[]>`
      select id from reports where user_id = ${listener} and subject = ${subject} and subject_id = ${target}
        and reason = ${reason} and closed_by is null and withdrawn_at is null`
    if (open) return open
  }
  throw serviceBusy()
}

/** Withdraws the listener's report; a decided one stays. @throws HttpError 404 for another listener's. */
export async function withdrawReport(
  db: Database,
  listener: string,
  id: string,
): Promise<{ success: boolean }> {
  const [own] = await db`select from reports where id = ${id} and user_id = ${listener}`
  if (!own) throw new HttpError(404, 'You have made no such report.')
  await db`
    update reports set withdrawn_at = now()
    where id = ${id} and user_id = ${listener} and closed_by is null and withdrawn_at is null`
  return { success: true }
}

type TargetFinder = (db: Queryable, id: string, listener: string) => Promise<string | null>

/** The id of what is reported; null for what the listener cannot see. */
const TARGET_FINDERS: Record<BodyOf<typeof reportSubject>['subject'], TargetFinder> = {
  async song(db, id) {
    if (!isId(id)) return null
    const [row] = await db`select from songs where id = ${id} and retired_at is null`
    return row ? id : null
  },
  person: findPerson,
  bio: findPerson,
  photo: findPerson,
  async collection(db, token, listener) {
    if (!isShareToken(token)) return null
    const [row] = await db<{ id: string }[]>`
      select c.id from share_tokens t
      join collections c on c.id = t.target_id and c.user_id = t.user_id and c.is_public
      join users u on u.id = c.user_id and u.suspended_at is null
      where t.token = ${token} and t.kind = 'collection' and c.user_id <> ${listener}`
    return row?.id ?? null
  },
}

/** A public profile of somebody else. */
async function findPerson(db: Queryable, id: string, listener: string): Promise<string | null> {
  if (!isId(id) || id === listener) return null
  const [row] = await db`select from users where id = ${id} and is_public and suspended_at is null`
  return row ? id : null
}

const isId = (text: string) => /^[1-9]\d{0,17}$/.test(text)
