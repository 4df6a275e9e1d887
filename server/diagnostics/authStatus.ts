import { AUTH_ENDPOINTS, type getAuthStatus } from '../../contract/diagnostics.ts'
import type { Response } from '../../contract/endpoint.ts'
import { canHavePasskeys, siteOf } from '../auth/verifyPasskey.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { withDeadline } from '../http/deadline.ts'
import type { SignInProviders } from '../integrations/signIn/providers.ts'

/** Milliseconds in which a working database answers. */
const DATABASE_DEADLINE = 2000

/** The state of sign-in, in words that reveal no internals (diagnostics-12). */
export async function authStatus(
  db: Database,
  env: Env,
  providers: SignInProviders,
): Promise<Response<typeof getAuthStatus>> {
  const counting = Promise.resolve(db<{ count: number }[]>`select count(*)::int as count from users`)
  const userCount = await withDeadline(counting, DATABASE_DEADLINE).then(
    ([row]) => row?.count ?? 0,
    () => null,
  )
  return {
    database: userCount === null ? 'error' : 'connected',
    userCount,
    replitAuth: configured(providers.replit !== null),
    googleAuth: configured(providers.google !== null),
    facebookAuth: configured(providers.facebook !== null),
    openIdAuth: configured(providers.oidc !== null),
    emailAuth: configured(env.SMTP_URL !== undefined),
    passkeyAuth: configured(canHavePasskeys(siteOf(env))),
    registration: env.REGISTRATION,
    environment: env.production ? 'production' : 'development',
    authEndpoints: { ...AUTH_ENDPOINTS },
  }
}

const configured = (is: boolean) => (is ? 'configured' : 'not configured')
