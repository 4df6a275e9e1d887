import { randomUUID } from 'node:crypto'
import {
  AUTH_ENDPOINTS,
  type testUserCreation as endpoint,
  type getAuthStatus,
} from '../../contract/diagnostics.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { findOrCreateAccount } from '../auth/accounts.ts'
import { createSession, Sessions } from '../auth/sessions.ts'
import { canHavePasskeys, passkeySite } from '../auth/verifyPasskey.ts'
import type { Database, Queryable } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { withDeadline } from '../http/HttpError.ts'
import type { SignInProviders } from '../integrations/signIn/providers.ts'

/** Milliseconds in which a working database answers. */
const DATABASE_DEADLINE = 2000

/** The state of sign-in, without internal details (diagnostics-12). */
export async function readAuthStatus(
  db: Database,
  env: Env,
  providers: SignInProviders,
): Promise<ResponseOf<typeof getAuthStatus>> {
  const counting = Promise.resolve(db<{ count: number }[]>`select count(*)::int as count from users`)
  const userCount = await withDeadline(counting, DATABASE_DEADLINE).then(
    ([row]) => row?.count ?? 0,
    () => null,
  )
  return {
    database: userCount === null ? 'error' : 'connected',
    userCount,
    replitAuth: toConfigured(providers.replit !== null),
    googleAuth: toConfigured(providers.google !== null),
    facebookAuth: toConfigured(providers.facebook !== null),
    openIdAuth: toConfigured(providers.oidc !== null),
    emailAuth: toConfigured(env.SMTP_URL !== undefined),
    passkeyAuth: toConfigured(canHavePasskeys(passkeySite(env))),
    registration: env.REGISTRATION,
    environment: env.production ? 'production' : 'development',
    authEndpoints: { ...AUTH_ENDPOINTS },
  }
}

const toConfigured = (isConfigured: boolean) => (isConfigured ? 'configured' : 'not configured')

type UserCreationReport = ResponseOf<typeof endpoint>

/**
 * Creates an account like a first sign-in, signs it in and reads it back, in a transaction that is always rolled
 * back: no account and no session is left (diagnostics-13).
 */
export async function testUserCreation(db: Database): Promise<UserCreationReport> {
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
