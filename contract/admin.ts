import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  INVITATION_DAYS,
  INVITATION_USES,
  InvitationState,
  MAX_NOTE_LENGTH,
  Registration,
} from './invitations.ts'
import { Id, IdParams, Moment, Success } from './shapes.ts'
import { ProviderName } from './signInProviders.ts'
import { Line, maxCharacters } from './texts.ts'

/** Accounts, invitations or acts per answer. */
export const ADMIN_PAGE_SIZE = 50

/** Reached limits per answer. */
export const MAX_REACHED_LIMITS = 200

/** An account as operators see it: the e-mail only in part (accounts-3). */
export const Account = z.object({
  id: Id,
  /** The listener's name, or 'Account 7' without one: what must be typed to delete it. */
  name: z.string(),
  /** Such as 'j…e@example.org'; null for an account without one. */
  email: z.nullable(z.string()),
  createdAt: Moment,
  /** By sessions that are not over, and ratings; null if neither tells. */
  lastSeenAt: z.nullable(Moment),
  ratings: z.int(),
  /** Browsers that are signed in. */
  sessions: z.int(),
  /** The providers that it has signed in with, besides sign-in links to its e-mail. */
  providers: z.array(ProviderName),
  /** The note or the number of the invitation that it was made with. */
  invitation: z.nullable(z.string()),
  isSteward: z.boolean(),
  /** An operator: the page refuses to suspend or delete this account (accounts-4). */
  isOperator: z.boolean(),
  suspendedAt: z.nullable(Moment),
})
export type Account = z.infer<typeof Account>

const BeforeCursor = z.object({ before: z.optional(Id) })

export const listAccounts = endpoint('GET /api/admin/accounts', {
  access: 'diagnostics',
  summary:
    'The accounts before `before`, newest first, 50 at a time. `search` is a whole e-mail address, the number of an account, or a part of a name. `only` leaves those that are suspended (accounts-2).',
  query: z.extend(BeforeCursor, {
    search: z._default(z.string().check(z.trim(), z.maxLength(254)), ''),
    only: z.optional(z.literal('suspended')),
  }),
  response: z.array(Account),
})

export const readAccountEmail = endpoint('POST /api/admin/accounts/:id/email', {
  params: IdParams,
  access: 'diagnostics',
  summary: 'The whole e-mail address of an account. Whoever asks for it stands in the trail (accounts-3).',
  response: z.object({ email: z.nullable(z.string()) }),
})

export const AccountAction = z.enum(['suspend', 'restore', 'sign-out', 'steward', 'unsteward'])
export type AccountAction = z.infer<typeof AccountAction>

export const actOnAccount = endpoint('POST /api/admin/accounts/:id/actions', {
  params: IdParams,
  access: 'diagnostics',
  summary:
    'Suspends an account or ends that, signs it out everywhere, or opens the desk to it or closes it. Repeating changes nothing. 409 for the own account and those of other operators (accounts-4).',
  body: z.object({ action: AccountAction }),
  response: Account,
  fails: [409],
})

export const deleteAnyAccount = endpoint('DELETE /api/admin/accounts/:id', {
  params: IdParams,
  access: 'diagnostics',
  summary:
    'Deletes an account with all its data, as its owner could. `confirmation` is its `name`. 409 for the own account and those of other operators (accounts-4).',
  body: z.object({ confirmation: z.string().check(z.trim(), z.maxLength(254)) }),
  response: Success,
  fails: [409],
})

export const Invitation = z.object({
  id: Id,
  note: z.nullable(z.string()),
  state: InvitationState,
  /** Accounts that it has made. */
  uses: z.int(),
  maxUses: z.int(),
  createdAt: Moment,
  expiresAt: Moment,
})
export type Invitation = z.infer<typeof Invitation>

export const listInvitations = endpoint('GET /api/admin/invitations', {
  access: 'diagnostics',
  summary: 'The invitations before `before`, newest first, 50 at a time, and who can get an account at all.',
  query: BeforeCursor,
  response: z.object({ registration: Registration, invitations: z.array(Invitation) }),
})

const CountUpTo = ({ most }: { most: number }) => z.int().check(z.minimum(1), z.maximum(most))

export const createInvitation = endpoint('POST /api/admin/invitations', {
  access: 'diagnostics',
  summary:
    'Makes an invitation. Only this answer has its link: the server keeps a hash of the token (signin-17).',
  body: z.object({
    note: z.optional(Line.check(maxCharacters(MAX_NOTE_LENGTH))),
    /** Until it expires. */
    days: z._default(CountUpTo(INVITATION_DAYS), INVITATION_DAYS.usual),
    uses: z._default(CountUpTo(INVITATION_USES), INVITATION_USES.usual),
  }),
  response: z.extend(Invitation, { link: z.string() }),
})

export const revokeInvitation = endpoint('DELETE /api/admin/invitations/:id', {
  params: IdParams,
  access: 'diagnostics',
  summary: 'Revokes an invitation: it makes no account any more. Repeating changes nothing.',
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
  /** Opaque: it hides the address that may be counted. */
  id: z.string(),
  counts: z.string(),
  /** The account's name, an address or a network in part, or 'all'. */
  who: z.string(),
  /** Uses in this window, those that were refused included. */
  used: z.int(),
  max: z.int(),
  /** When the window ends. */
  until: Moment,
})
export type ReachedLimit = z.infer<typeof ReachedLimit>

export const listLimits = endpoint('GET /api/admin/limits', {
  access: 'diagnostics',
  summary:
    'The limits that are counted in the database, the other limits of a listener, the searches of today, and whose next use would be refused (accounts-6).',
  response: z.object({
    limits: z.array(Limit),
    quotas: z.object({
      /** Calls a minute of a listener or a network, in each process. */
      callsPerMinute: z.int(),
      /** Bytes of one upload, and of all that a listener keeps. */
      uploadBytes: z.int(),
      storedBytes: z.int(),
      /** Suggestions in 24 hours of a new account, and of others. */
      suggestionsOfNew: z.int(),
      suggestions: z.int(),
    }),
    /** Searches on YouTube for which Google's day has a budget; null without a key. */
    searches: z.nullable(z.object({ used: z.int(), max: z.int() })),
    reached: z.array(ReachedLimit),
  }),
})

export const clearLimit = endpoint('DELETE /api/admin/limits/:limit', {
  params: z.object({ limit: z.string().check(z.regex(/^[\w-]{43}$/, 'must be the id of a reached limit')) }),
  access: 'diagnostics',
  summary: 'Clears a limit that somebody has reached: their count begins again. 404 when it is over already.',
  response: Success,
})

/** A row of the trail (accounts-5). */
export const AuditLogEntry = z.object({
  id: Id,
  /** The operator's name; null when the account is gone, or for `npm run account`. */
  by: z.nullable(z.string()),
  isCommand: z.boolean(),
  subject: z.enum(['account', 'invitation', 'limit']),
  /** What it was about, as it was at the time. */
  label: z.string(),
  action: z.enum([...AccountAction.options, 'create', 'delete', 'email', 'invite', 'revoke', 'clear']),
  createdAt: Moment,
})
export type AuditLogEntry = z.infer<typeof AuditLogEntry>

export const listAuditLog = endpoint('GET /api/admin/acts', {
  access: 'diagnostics',
  summary: 'The trail of what operators did, newest first, 50 at a time: those before the act `before`.',
  query: BeforeCursor,
  response: z.array(AuditLogEntry),
})
