import { z } from 'zod'
import { Email } from '../../contract/email.ts'
import type { Database, Queryable } from '../db/connection.ts'
import { functions } from '../db/functions.ts'
import { inBatches } from '../db/inBatches.ts'
import { listenerTablesThat } from '../db/tables/listenerTables.ts'
import { HttpError, signInRequired } from '../http/HttpError.ts'
import { deleteUsesOf } from '../http/limits/limits.ts'
import { expireUploadsOf } from '../uploads/discardUpload.ts'

/**
 * Deletes the listener's account (people-18).
 * @throws HttpError 400 when `confirmation` is not the account's e-mail (DELETE for one without).
 */
export async function deleteAccount(
  db: Database,
  userId: string,
  confirmation: string,
): Promise<{ success: boolean }> {
  return db.begin(async (tx) => {
    const user = await lockAccount(tx, userId)
    if (!user) throw signInRequired()
    if ((z.safeParse(Email, confirmation).data ?? confirmation.toLowerCase()) !== (user.email ?? 'delete')) {
      throw new HttpError(400, user.email ? 'Please type the e-mail of your account.' : 'Please type DELETE.')
    }
    await eraseAccount(tx, user)
    return { success: true }
  })
}

interface LockedAccount {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
}

/**
 * Takes the same lock as ratings, so no rating is added before the deletion, and then that of the account, before its
 * reports and decisions. Null when there is no such account.
 */
export async function lockAccount(tx: Queryable, userId: string): Promise<LockedAccount | null> {
  await tx`set local statement_timeout = '60s'`
  await tx`select from listener_stats where user_id = ${userId} for update`
  const [user] = await tx<LockedAccount[]>`
    select id, email, first_name, last_name from users where id = ${userId} for update`
  return user ?? null
}

/**
 * Deletes a locked account and what is its own, in one transaction (people-18): it locks nobody else. Jobs delete its follows
 * and files. Reversed rating changes correct the totals.
 */
export async function eraseAccount(tx: Queryable, { id: userId, email }: LockedAccount): Promise<void> {
  await tx`
    insert into rating_changes (user_id, song_id, microgenre_id, old_banger, old_rated_at, old_heard, old_dealt)
    select user_id, song_id, microgenre_id, banger, ${functions}.counted_at(pass, rated_at), heard_source is not null,
      heard_source is not null and dealt_reason is not null
    from ratings where user_id = ${userId}`
  for (const table of DELETED_TABLES) await tx`delete from ${tx(table)} where user_id = ${userId}`
  if (email) await tx`delete from sign_in_tokens where email = ${email}`
  for (const name of [userId, email]) {
    if (name) await deleteUsesOf(tx, name)
  }
  await deleteDeskTraces(tx, userId)
  await expireUploadsOf(tx, userId)
  // Sessions, passkeys, collections, shares, preferences and feedback are deleted by cascade.
  await tx`delete from users where id = ${userId}`
}

/**
 * Deletes suggestions without other votes, unless they were approved or the catalogue found them, deletes reports
 * about the person, and anonymises decisions (desk-19). The person's votes and reports are deleted by cascade.
 */
async function deleteDeskTraces(tx: Queryable, userId: string): Promise<void> {
  await tx`
    delete from suggestions g using suggestion_votes mine
    where mine.suggestion_id = g.id and mine.user_id = ${userId} and g.state <> 'approved'
      and g.found_score is null and not exists (
      select from suggestion_votes v
      where v.suggestion_id = g.id and v.user_id <> ${userId} and v.withdrawn_at is null)`
  const isAboutAccount = tx`(subject in ('person', 'bio', 'photo') and subject_id = ${userId}
    or subject = 'collection' and subject_id in (select id from collections where user_id = ${userId}))`
  // In order, because two people who report each other may leave at once.
  await tx`select from reports where ${isAboutAccount} or user_id = ${userId} order by id for update`
  await tx`
    update decisions set subject_id = null, label = 'A deleted account', changes = '[]', kept = '{}'
    where ${isAboutAccount} or subject in ('account', 'limit') and subject_id = ${userId}
      or subject = 'collection' and kept ->> 'owner' = ${userId}`
  await tx`delete from reports where ${isAboutAccount}`
}

const DELETED_TABLES = listenerTablesThat('isDeleted')

/** Few, because their listeners' own follows wait for a batch. */
const FOLLOWS_PER_BATCH = 500

/** Deletes the follows of deleted accounts (people-18), the oldest account first. */
export async function removeFollows(db: Database, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const [gone] = await db<{ id: string }[]>`
      select user_id as id from deleted_accounts order by deleted_at limit 1`
    if (!gone) return
    for (const column of ['follower_id', 'followed_id'] as const)
      await inBatches(
        signal,
        (rows) => db`
          delete from follows where (follower_id, followed_id) in (
            select follower_id, followed_id from follows where ${db(column)} = ${gone.id} limit ${rows})`,
        FOLLOWS_PER_BATCH,
      )
    if (!signal?.aborted) await db`delete from deleted_accounts where user_id = ${gone.id}`
  }
}
