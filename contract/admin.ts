import * as z from 'zod/mini'
import { InvitationState, ProviderName, Registration } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Success } from './shapes.ts'
import { Line, maxCharacters } from './texts.ts'

/** Accounts, invitations or audit log entries per response. */
export const ADMIN_PAGE_SIZE = 50

/** Reached limits per response. */
export const MAX_REACHED_LIMITS = 200

/** An account as operators see it: the e-mail only in part (accounts-3). */
export const Account = z.object({
  id: Id,
  /** The listener's name, or 'Account 7' without one. It must be typed to delete the account. */
  name: z.string(),
  /** Such as 'j…e@example.org'; null for an account without one. */
  email: z.nullable(z.string()),
  createdAt: Moment,
  /** The last use of a session or the day of the last rating, whichever is later; null without either. */
  lastSeenAt: z.nullable(Moment),
  ratings: z.int(),
  /** Browsers that are signed in. */
  sessions: z.int(),
  /** Sign-in providers that the account has used. */
  providers: z.array(ProviderName),
  /** The invitation that created the account: its note, or its number. */
  invitation: z.nullable(z.string()),
  isSteward: z.boolean(),
  /** Operators cannot be suspended or deleted on the page (accounts-4). */
  isOperator: z.boolean(),
  suspendedAt: z.nullable(Moment),
  /** A steward may lift it, until an operator suspends the account, too. */
  isSuspendedBySteward: z.boolean(),
})
export type Account = z.infer<typeof Account>

const BeforeCursor = z.object({ before: z.optional(Id) })

export const listAccounts = endpoint('GET /api/admin/accounts', {
  access: 'diagnostics',
  summary:
    'Accounts with ids below `before`, newest first, 50 at a time. `search` is a full e-mail address, an account number, or part of a name. `only=suspended` filters them (accounts-2).',
  query: z.extend(BeforeCursor, {
    search: z._default(z.string().check(z.trim(), z.maxLength(254)), ''),
    only: z.optional(z.literal('suspended')),
  }),
  response: z.array(Account),
})

export const readAccountEmail = endpoint('POST /api/admin/accounts/:id/email', {
  params: IdParams,
  access: 'diagnostics',
  summary: 'The full e-mail address of an account. Each read is recorded in the audit log (accounts-3).',
  response: z.object({ email: z.nullable(z.string()) }),
})

const ACCOUNT_ACTIONS = ['suspend', 'restore', 'sign-out', 'steward', 'unsteward'] as const
const AUDIT_LOG_ACTIONS = [
  ...ACCOUNT_ACTIONS,
  'create',
  'delete',
  'email',
  'invite',
  'revoke',
  'clear',
] as const
export const AccountAction = z.enum(ACCOUNT_ACTIONS)
export type AccountAction = z.infer<typeof AccountAction>

export const actOnAccount = endpoint('POST /api/admin/accounts/:id/actions', {
  params: IdParams,
  access: 'diagnostics',
  summary:
    'Suspends or restores an account, signs it out everywhere, or grants or revokes access to the desk. Idempotent. 409 for the caller’s own account and for other operators (accounts-4).',
  body: z.object({ action: AccountAction }),
  response: Account,
  fails: [409],
})

export const deleteAnyAccount = endpoint('DELETE /api/admin/accounts/:id', {
  params: IdParams,
  access: 'diagnostics',
  summary:
    'Deletes an account with all its data. `confirmation` is its `name`. 409 for the caller’s own account and for other operators (accounts-4).',
  body: z.object({ confirmation: z.string().check(z.trim(), z.maxLength(254)) }),
  response: Success,
  fails: [409],
})

/** Characters of an invitation's note. */
export const MAX_NOTE_LENGTH = 100

/** Days until an invitation expires: the default and the maximum. */
export const INVITATION_DAYS = { default: 14, max: 365 } as const

/** Accounts that an invitation can create: the default and the maximum. */
export const INVITATION_USES = { default: 1, max: 1000 } as const

export const Invitation = z.object({
  id: Id,
  note: z.nullable(z.string()),
  state: InvitationState,
  /** Accounts created with it. */
  uses: z.int(),
  maxUses: z.int(),
  createdAt: Moment,
  expiresAt: Moment,
})
export type Invitation = z.infer<typeof Invitation>

export const listInvitations = endpoint('GET /api/admin/invitations', {
  access: 'diagnostics',
  summary: 'Invitations with ids below `before`, newest first, 50 at a time, and who can create an account.',
  query: BeforeCursor,
  response: z.object({ registration: Registration, invitations: z.array(Invitation) }),
})

const CountUpTo = (max: number) => z.int().check(z.minimum(1), z.maximum(max))

export const createInvitation = endpoint('POST /api/admin/invitations', {
  access: 'diagnostics',
  summary:
    'Creates an invitation. Only this response contains its link: the server stores a hash of the token (signin-17).',
  body: z.object({
    note: z.optional(Line.check(maxCharacters(MAX_NOTE_LENGTH))),
    /** Until it expires. */
    days: z._default(CountUpTo(INVITATION_DAYS.max), INVITATION_DAYS.default),
    uses: z._default(CountUpTo(INVITATION_USES.max), INVITATION_USES.default),
  }),
  response: z.extend(Invitation, { link: z.string() }),
})

export const revokeInvitation = endpoint('DELETE /api/admin/invitations/:id', {
  params: IdParams,
  access: 'diagnostics',
  summary: 'Revokes an invitation, so that it creates no more accounts. Idempotent.',
  response: Invitation,
})

const Limit = z.object({
  name: z.string(),
  /** What is counted, such as 'sign-in links'. */
  counts: z.string(),
  /** Whose uses are counted together. */
  per: z.enum(['listener', 'address', 'network', 'all']),
  max: z.int(),
  /** Length of the window. */
  seconds: z.int(),
})

const ReachedLimit = z.object({
  /** Opaque, because the counter's key may contain an address. */
  id: z.string(),
  counts: z.string(),
  /** The account's name, an address or a network in part, or 'all'. */
  who: z.string(),
  /** Uses in this window, refused ones included. */
  used: z.int(),
  max: z.int(),
  /** When the window ends. */
  until: Moment,
})
export type ReachedLimit = z.infer<typeof ReachedLimit>

export const listLimits = endpoint('GET /api/admin/limits', {
  access: 'diagnostics',
  summary:
    'The limits that are counted in the database, other quotas of a listener, today’s YouTube searches, and which limits are reached (accounts-6).',
  response: z.object({
    limits: z.array(Limit),
    quotas: z.object({
      /** Calls per minute of a listener or a network, in each process. */
      callsPerMinute: z.int(),
      /** Bytes of one upload, and of all stored files of a listener. */
      uploadBytes: z.int(),
      storedBytes: z.int(),
      /** Suggestions in 24 hours of a new account, and of others. */
      suggestionsOfNew: z.int(),
      suggestions: z.int(),
    }),
    /** YouTube searches of Google's day; null without an API key. */
    searches: z.nullable(z.object({ used: z.int(), max: z.int() })),
    reached: z.array(ReachedLimit),
  }),
})

export const clearLimit = endpoint('DELETE /api/admin/limits/:limit', {
  params: z.object({ limit: z.string().check(z.regex(/^[\w-]{43}$/, 'must be the id of a reached limit')) }),
  access: 'diagnostics',
  summary: 'Resets the counter of a reached limit. 404 when its window has ended.',
  response: Success,
})

const Job = z.object({
  name: z.string(),
  /** Whether a process runs it now. */
  running: z.boolean(),
  nextRunAt: Moment,
  /** Of its last run, which may be the present one. */
  startedAt: z.nullable(Moment),
  succeededAt: z.nullable(Moment),
  /** Milliseconds of the last successful run. */
  duration: z.nullable(z.int()),
  /** Failed runs since the last successful one. */
  failures: z.int(),
  failedAt: z.nullable(Moment),
  /** Why it failed last, without addresses and tokens. */
  error: z.nullable(z.string()),
})
export type Job = z.infer<typeof Job>

export const listJobs = endpoint('GET /api/admin/jobs', {
  access: 'diagnostics',
  summary: 'What the server does by itself: last success, duration and failures (accounts-9).',
  response: z.array(Job),
})

/** An entry of the audit log (accounts-5). */
export const AuditLogEntry = z.object({
  id: Id,
  /** The operator's name; null for a deleted account and for `npm run account`. */
  by: z.nullable(z.string()),
  isCommand: z.boolean(),
  subject: z.enum(['account', 'invitation', 'limit']),
  /** The subject's name at that time. */
  label: z.string(),
  action: z.enum(AUDIT_LOG_ACTIONS),
  createdAt: Moment,
})
export type AuditLogEntry = z.infer<typeof AuditLogEntry>

export const listAuditLog = endpoint('GET /api/admin/acts', {
  access: 'diagnostics',
  summary: 'The audit log: what operators did, newest first, 50 at a time, with ids below `before`.',
  query: BeforeCursor,
  response: z.array(AuditLogEntry),
})
