import * as z from 'zod/mini'
import { Email } from './email.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Moment, Success } from './shapes.ts'
import { maxCharacters } from './texts.ts'

/** How songs on Discover are chosen (discover-70). */
export const SONG_CHOICES = ['liked', 'both', 'surprise', 'shuffle'] as const
export const SongChoice = z.enum(SONG_CHOICES)
export type SongChoice = z.infer<typeof SongChoice>

/** The signed-in listener. Only this response always contains the e-mail (people-3). */
export const CurrentUser = z.object({
  id: Id,
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
  bio: z.nullable(z.string()),
  isPublic: z.boolean(),
  showEmail: z.boolean(),
  emailOptOut: z.boolean(),
  /** Videos on Discover begin at the hook (playback-62). */
  startAtHook: z.boolean(),
  earFirst: z.boolean(),
  songChoice: SongChoice,
  createdAt: Moment,
  followerCount: z.int(),
  followingCount: z.int(),
})
export type CurrentUser = z.infer<typeof CurrentUser>

/** The signed-in listener, and whether they may see the diagnostic pages (diagnostics-1) and the desk (desk-10). */
export const SignedInUser = z.extend(CurrentUser, { maySeeDiagnostics: z.boolean(), isSteward: z.boolean() })
export type SignedInUser = z.infer<typeof SignedInUser>

export const getCurrentUser = endpoint('GET /api/auth/user', {
  access: 'signed-in',
  summary: 'The signed-in user; 401 without a session (signin-1).',
  response: SignedInUser,
})

export const sendMagicLink = endpoint('POST /api/auth/magic-link/send', {
  access: 'public',
  summary:
    'Mails a sign-in link and a code. One of them works once, for 15 minutes. In development the response contains both, too.',
  body: z.object({ email: Email }),
  response: z.object({
    message: z.string(),
    magicLink: z.optional(z.string()),
    code: z.optional(z.string()),
    development: z.optional(z.boolean()),
  }),
  fails: [502],
})

export const followMagicLink = endpoint('GET /sign-in/link', {
  access: 'public',
  summary:
    'Signs in the browser that requested the link; any other browser gets a page with a button (signin-9).',
  query: z.object({ token: z.optional(z.string()) }),
  answers: 'document',
})

export const redeemMagicLink = endpoint('POST /sign-in/link', {
  access: 'public',
  summary: 'Signs in with a link, by the button on that page.',
  query: z.object({ token: z.optional(z.string()) }),
  answers: 'redirect',
})

export const logout = endpoint('GET /api/logout', {
  access: 'public',
  summary: 'Ends the session and redirects to the landing page.',
  answers: 'redirect',
})

export const Session = z.object({
  id: Id,
  /** Browser and operating system, such as 'Firefox on Linux'. */
  device: z.string(),
  kind: z.enum(['computer', 'mobile', 'other']),
  createdAt: Moment,
  /** Rounded to the hour. */
  lastSeenAt: Moment,
  /** Whether this is the caller's session. */
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const listSessions = endpoint('GET /api/auth/sessions', {
  access: 'signed-in',
  summary: 'The sessions of the listener: the current one first, then by last use.',
  response: z.array(Session),
})

export const endSession = endpoint('DELETE /api/auth/sessions/:id', {
  params: IdParams,
  access: 'signed-in',
  owns: 'session',
  summary: 'Signs one browser out.',
  response: Success,
})

export const endAllSessions = endpoint('DELETE /api/auth/sessions', {
  access: 'signed-in',
  summary:
    'Signs out everywhere, this browser included, and removes the passkeys if asked to. 409 when they are the only way to sign in.',
  query: z.object({ passkeys: z.optional(z.literal('remove')) }),
  response: Success,
  fails: [409],
})

/** Names of the sign-in providers in the database and in paths (signin-3); `oidc` is the operator's own (signin-14). */
export const ProviderName = z.enum(['google', 'facebook', 'replit', 'oidc'])
export type ProviderName = z.infer<typeof ProviderName>

/** Parameters that a provider adds when it redirects back (RFC 6749 §4.1.2, RFC 9207). */
const CallbackQuery = z.object({
  code: z.optional(z.string()),
  state: z.optional(z.string()),
  iss: z.optional(z.string()),
  error: z.optional(z.string()),
})

export const signInWithGoogle = endpoint('GET /api/auth/google', {
  access: 'public',
  summary: 'Redirects to Google to sign in; to /auth when that is not possible (signin-6).',
  answers: 'redirect',
})

export const returnFromGoogle = endpoint('GET /api/auth/google/callback', {
  access: 'public',
  summary: 'The callback of Google. Redirects to / when signed in, else to /auth with the reason.',
  query: CallbackQuery,
  answers: 'redirect',
})

export const signInWithFacebook = endpoint('GET /api/auth/facebook', {
  access: 'public',
  summary: 'Redirects to Facebook to sign in; to /auth when that is not possible (signin-6).',
  answers: 'redirect',
})

export const returnFromFacebook = endpoint('GET /api/auth/facebook/callback', {
  access: 'public',
  summary: 'The callback of Facebook. Redirects to / when signed in, else to /auth with the reason.',
  query: CallbackQuery,
  answers: 'redirect',
})

export const signInWithReplit = endpoint('GET /api/login', {
  access: 'public',
  summary: 'Redirects to Replit to sign in; to /auth when that is not possible (signin-6).',
  answers: 'redirect',
})

export const returnFromReplit = endpoint('GET /api/callback', {
  access: 'public',
  summary: 'The callback of Replit. Redirects to / when signed in, else to /auth with the reason.',
  query: CallbackQuery,
  answers: 'redirect',
})

export const signInWithOpenId = endpoint('GET /api/auth/oidc', {
  access: 'public',
  summary:
    "Redirects to the operator's own OpenID provider to sign in (signin-14); to /auth when that is not possible.",
  answers: 'redirect',
})

export const returnFromOpenId = endpoint('GET /api/auth/oidc/callback', {
  access: 'public',
  summary:
    "The callback of the operator's own OpenID provider. Redirects to / when signed in, else to /auth with the reason.",
  query: CallbackQuery,
  answers: 'redirect',
})

/** Characters of a token: 256 bits in base64url. */
const TOKEN_LENGTH = 43

/** Who can create an account: everybody, nobody, or people with an invitation (signin-16, signin-17). */
export const Registration = z.enum(['open', 'closed', 'invite'])

/** Only an `open` invitation creates accounts. */
const INVITATION_STATES = ['open', 'used', 'expired', 'revoked'] as const
export const InvitationState = z.enum(INVITATION_STATES)
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
    state: z.enum([...INVITATION_STATES, 'unknown']),
    /** Null for an unknown one. */
    expiresAt: z.nullable(Moment),
    registration: Registration,
    isSignedIn: z.boolean(),
  }),
})
