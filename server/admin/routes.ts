import * as contract from '../../contract/admin.ts'
import { MAX_SUGGESTIONS_PER_DAY } from '../../contract/suggestions.ts'
import { readableEmail } from '../auth/maskEmail.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Context } from '../context.ts'
import { CALLS_PER_MINUTE } from '../http/limits/limitCalls.ts'
import { allLimits, defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { countSearches, MAX_SEARCHES_PER_DAY } from '../integrations/youtube.ts'
import { listAccounts, readAccount } from './accounts.ts'
import { actOnAccount, deleteAnyAccount, revealEmail } from './actOnAccount.ts'
import { readAuditLog } from './auditLog.ts'
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts'
import { listJobs } from './jobs.ts'
import { clearReachedLimit, readReachedLimits } from './limits.ts'

/** Enough for answering mail, too few for copying all addresses with a stolen session. */
const EMAIL_READS = defineLimit({
  name: 'admin-email',
  max: 60,
  seconds: 3600,
  message: 'You have looked at many e-mail addresses. Please wait an hour.',
  counts: 'e-mail addresses that an operator looked at',
  per: 'listener',
})

export function adminRoutes(sessions: Sessions): Route<Context>[] {
  return [
    route(contract.listAccounts, ({ query }, { db, env }: Context) =>
      listAccounts(db, env, { ...query, before: query.before ?? null }),
    ),

    route(contract.readAccountEmail, async ({ user, params }, { db }: Context) => {
      await enforceLimit(db, EMAIL_READS, user.id)
      return { email: readableEmail(await revealEmail(db, user.id, params.id)) }
    }),

    route(contract.actOnAccount, async ({ user, params, body }, { db, env }: Context) => {
      await actOnAccount(db, env, user.id, params.id, body.action)
      // Other processes notice within five seconds.
      sessions.evict(params.id)
      return readAccount(db, env, params.id)
    }),

    route(contract.deleteAnyAccount, async ({ user, params, body }, { db, env }: Context) => {
      await deleteAnyAccount(db, env, user.id, params.id, body.confirmation)
      sessions.evict(params.id)
      return { success: true }
    }),

    route(contract.listInvitations, async ({ query }, { db, env }: Context) => ({
      registration: env.REGISTRATION,
      invitations: await listInvitations(db, query.before ?? null),
    })),

    route(contract.createInvitation, ({ user, body }, { db, env }: Context) =>
      createInvitation(db, env.publicUrl, user.id, body),
    ),

    route(contract.revokeInvitation, ({ user, params }, { db }: Context) =>
      revokeInvitation(db, user.id, params.id),
    ),

    route(contract.listLimits, async (_, { db, env, secret }: Context) => ({
      limits: allLimits(),
      quotas: {
        callsPerMinute: CALLS_PER_MINUTE,
        uploadBytes: env.UPLOAD_MAX_BYTES,
        storedBytes: env.UPLOAD_QUOTA_BYTES,
        suggestionsOfNew: MAX_SUGGESTIONS_PER_DAY.newAccount,
        suggestions: MAX_SUGGESTIONS_PER_DAY.account,
      },
      searches: env.YOUTUBE_API_KEY ? { used: await countSearches(db), max: MAX_SEARCHES_PER_DAY } : null,
      reached: await readReachedLimits(db, secret),
    })),

    route(contract.clearLimit, async ({ user, params }, { db, secret }: Context) => {
      await clearReachedLimit(db, secret, user.id, params.limit)
      return { success: true }
    }),

    route(contract.listJobs, (_, { db }: Context) => listJobs(db)),

    route(contract.listAuditLog, ({ query }, { db }: Context) => readAuditLog(db, query.before ?? null)),
  ]
}
