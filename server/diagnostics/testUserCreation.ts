import { randomUUID } from 'node:crypto'
import type { testUserCreation as endpoint } from '../../contract/diagnostics.ts'
import type { Response } from '../../contract/endpoint.ts'
import { findOrCreateAccount } from '../auth/accounts.ts'
import { createSession, Sessions } from '../auth/sessions.ts'
import type { Database, Queryable } from '../db/connection.ts'

type Report = Response<typeof endpoint>

/**
 * Creates an account like a first sign-in, signs it in and reads it back, in a transaction that is always rolled
 * back: no account and no session is left (diagnostics-13).
 */
export async function testUserCreation(db: Database): Promise<Report> {
  const steps = { created: false, signedIn: false }
  await db
    .begin(async (tx) => {
      const userId = await createTwice(tx)
      steps.created = userId !== null
      steps.signedIn = userId !== null && (await signIn(tx, userId))
      throw new Rollback()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Rollback)) steps.signedIn = false
    })
  return {
    userCreation: steps.created ? 'passed' : 'failed',
    authFlow: steps.signedIn ? 'passed' : 'failed',
    overall: steps.created && steps.signedIn ? 'passed' : 'failed',
    timestamp: new Date().toISOString(),
  }
}

class Rollback extends Error {}

/** The account's id, or null unless the second sign-in finds the account of the first. */
async function createTwice(tx: Queryable): Promise<string | null> {
  // RFC 2606: .invalid never belongs to anybody.
  const email = `user-creation-test-${randomUUID()}@test.invalid`
  const userId = await findOrCreateAccount(tx, email)
  const again = await findOrCreateAccount(tx, email)
  const rows = await tx`
    select from users u join listener_stats s on s.user_id = u.id where u.id = ${userId} and u.email = ${email}`
  return userId === again && rows.length === 1 ? userId : null
}

async function signIn(tx: Queryable, userId: string): Promise<boolean> {
  const token = await createSession(tx, userId, 'user creation test')
  return (await new Sessions(tx).find(token))?.id === userId
}
