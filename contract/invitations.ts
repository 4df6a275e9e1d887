import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Moment } from './shapes.ts'
import { maxCharacters } from './texts.ts'

/** Characters of the note. */
export const MAX_NOTE_LENGTH = 100

/** Days until an invitation expires: the default and the maximum. */
export const INVITATION_DAYS = { usual: 14, most: 365 } as const

/** Accounts that an invitation can create: the default and the maximum. */
export const INVITATION_USES = { usual: 1, most: 1000 } as const

/** Characters of a token: 256 bits in base64url. */
const TOKEN_LENGTH = 43

/** Who can create an account: everybody, nobody, or people with an invitation (signin-16, signin-17). */
export const Registration = z.enum(['open', 'closed', 'invite'])

/** Only an `open` invitation creates accounts. */
export const InvitationState = z.enum(['open', 'used', 'expired', 'revoked'])
export type InvitationState = z.infer<typeof InvitationState>

/** The address of the page that a link opens. */
export const invitationPath = (token: string) => `/invite/${token}`

export const openInvitation = endpoint('POST /api/auth/invitation', {
  access: 'public',
  summary:
    'What the page of an invitation shows. If it is open, this browser remembers it for its next sign-in (signin-18).',
  body: z.object({
    token: z.string().check(maxCharacters(TOKEN_LENGTH)),
  }),
  response: z.object({
    state: z.enum([...InvitationState.options, 'unknown']),
    /** Null for an unknown one. */
    expiresAt: z.nullable(Moment),
    registration: Registration,
    isSignedIn: z.boolean(),
  }),
})
