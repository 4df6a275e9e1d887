import type { CaseSubject, DeskAction } from '../../contract/desk.ts'
import type { ReportSubject } from '../../contract/reports.ts'
import { sharerName } from '../../contract/sharing.ts'
import { rankOf, restoreAccount, suspendAccount } from '../auth/accountRights.ts'
import { hideCollection, showCollection } from '../collections/collections.ts'
import type { Queryable, Transaction } from '../db/connection.ts'
import { clearBio, restoreBio } from '../profiles/profile.ts'
import { hidePhoto, showHiddenPhoto } from '../uploads/setPhoto.ts'
import {
  type CaseHandler,
  conflict,
  type DecisionContext,
  type DecisionOutcome,
  type Effect,
  noSuchCase,
  type StoredDecision,
} from './effect.ts'

/*
 * People, bios, photos and collections that listeners report: to block hides them (desk-16), to dismiss only closes the
 * reports.
 */

export const PERSON_CASES = createReportedCases('person', readName, {
  block: {
    decide: (context, { subjectId }) => suspendPerson(context, subjectId),
    undo: restorePerson,
    redo: suspendPersonAgain,
  },
})

export const BIO_CASES = createProfilePartCases(
  'bio',
  clearBio,
  restoreBio,
  'Its owner has written another bio, or its words are deleted.',
)

export const PHOTO_CASES = createProfilePartCases(
  'photo',
  hidePhoto,
  showHiddenPhoto,
  'Its owner has another photo, or the file is deleted.',
)

/** `conflictMessage` says why a hidden value cannot be shown, or hidden, again. */
function createProfilePartCases(
  subject: 'bio' | 'photo',
  hide: (tx: Transaction, userId: string) => Promise<string | null>,
  show: (tx: Transaction, userId: string, value: string) => Promise<boolean>,
  conflictMessage: string,
): CaseHandler<'block' | 'dismiss'> {
  return createReportedCases(subject, async (tx, id) => personLabel(subject, await readName(tx, id)), {
    block: {
      async decide({ tx }, { subjectId }) {
        const { name } = await readPerson(tx, subjectId)
        const changes = [{ field: subject, before: await hide(tx, subjectId), after: null }]
        return { label: personLabel(subject, name), changes }
      },
      async undo({ tx }, { subjectId, changes: [change] }) {
        if (!change) throw conflict(conflictMessage)
        if (change.before !== null && !(await show(tx, subjectId, change.before)))
          throw conflict(conflictMessage)
      },
      async redo({ tx }, { subjectId, changes: [change] }) {
        if ((await hide(tx, subjectId)) !== change?.before) throw conflict(conflictMessage)
      },
    },
  })
}

export const COLLECTION_CASES = createReportedCases('collection', readCollectionName, {
  block: {
    async decide({ tx }, { subjectId }) {
      const [row] = await tx<{ name: string }[]>`select name from collections where id = ${subjectId}`
      if (!row) throw conflict('The collection is deleted.')
      const token = await hideCollection(tx, subjectId)
      return {
        label: row.name,
        changes: [{ field: 'isPublic', before: 'true', after: 'false' }],
        undoData: { token },
      }
    },
    async undo({ tx }, { subjectId, undoData }) {
      if (!(await showCollection(tx, subjectId, undoData.token ?? null)))
        throw conflict('The collection is deleted, or public again.')
    },
    redo: async ({ tx }, { subjectId }) => void (await hideCollection(tx, subjectId)),
  },
})

/** A subject has a case while reports on it are open. `labelOf` names it in the trail. */
export function createReportedCases<Action extends DeskAction>(
  subject: ReportSubject,
  labelOf: (tx: Queryable, id: string) => Promise<string>,
  effects: Record<Action, Effect>,
): CaseHandler<Action | 'dismiss'> {
  return {
    async lock(tx, id) {
      await lockOwner(tx, subject, id)
      const open = await tx`
        select from reports where subject = ${subject} and subject_id = ${id} and closed_by is null
          and withdrawn_at is null order by id for update`
      if (open.length > 0) return true
      const [any] = await tx`select from reports where subject = ${subject} and subject_id = ${id} limit 1`
      if (!any) throw noSuchCase()
      return false
    },
    effects: {
      ...effects,
      dismiss: {
        decide: async ({ tx }, { subjectId }) => ({ label: await labelOf(tx, subjectId) }),
        undo: async () => {},
      },
    } as Record<Action | 'dismiss', Effect>,
  }
}

/** People before reports and decisions, as the deletion of an account locks them. */
export async function lockOwner(tx: Queryable, subject: CaseSubject, id: string): Promise<void> {
  if (subject === 'collection')
    await tx`
      select from users where id = (select user_id from collections where id = ${id}) for no key update`
  else if (['person', 'bio', 'photo'].includes(subject))
    await tx`select from users where id = ${id} for no key update`
}

export function personLabel(subject: 'person' | 'bio' | 'photo', name: string): string {
  return subject === 'person' ? name : `${subject === 'bio' ? 'Bio' : 'Photo'} of ${name}`
}

async function readName(tx: Queryable, id: string): Promise<string> {
  const [person] = await tx<{ firstName: string | null; lastName: string | null }[]>`
    select first_name, last_name from users where id = ${id}`
  return person ? sharerName(person) : 'a deleted account'
}

async function readCollectionName(tx: Queryable, id: string): Promise<string> {
  const [collection] = await tx<{ name: string }[]>`select name from collections where id = ${id}`
  return collection?.name ?? 'A deleted collection'
}

async function suspendPerson({ tx, env, steward }: DecisionContext, id: string): Promise<DecisionOutcome> {
  const { name, email, isSteward } = await readPerson(tx, id)
  if (isSteward || (email !== null && env.DIAGNOSTIC_EMAILS.includes(email)))
    throw conflict('This person is a steward too. Only an operator can suspend them.')
  await suspendAccount(tx, id, rankOf(env, steward))
  return { label: name, changes: [{ field: 'suspended', before: 'false', after: 'true' }] }
}

async function restorePerson(
  { tx, env, steward }: DecisionContext,
  { subjectId }: StoredDecision,
): Promise<void> {
  if (!(await restoreAccount(tx, subjectId, rankOf(env, steward))))
    throw conflict('This person is not suspended any more, or an operator has suspended them.')
}

async function suspendPersonAgain(
  { tx, env, steward }: DecisionContext,
  { subjectId }: StoredDecision,
): Promise<void> {
  if (!(await suspendAccount(tx, subjectId, rankOf(env, steward))))
    throw conflict('This person is suspended already.')
}

async function readPerson(tx: Queryable, id: string) {
  const [row] = await tx<
    { firstName: string | null; lastName: string | null; email: string | null; isSteward: boolean }[]
  >`select first_name, last_name, email, is_steward from users where id = ${id} and suspended_at is null`
  if (!row) throw conflict('This account is suspended or deleted already.')
  return { name: sharerName(row), email: row.email, isSteward: row.isSteward }
}
