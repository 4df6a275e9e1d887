import * as z from 'zod/mini'
import { Email } from './email.ts'
import { endpoint } from './endpoint.ts'
import { Id, Moment } from './shapes.ts'

/** The signed-in listener. Only this answer always contains the e-mail (people-3). */
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
  createdAt: Moment,
  followerCount: z.int(),
  followingCount: z.int(),
})
export type CurrentUser = z.infer<typeof CurrentUser>

/** The signed-in listener, and whether they may see the diagnostic pages (diagnostics-1) and the desk (desk-10). */
export const SignedInUser = z.extend(CurrentUser, { maySeeDiagnostics: z.boolean(), isSteward: z.boolean() })
export type SignedInUser = z.infer<typeof SignedInUser>

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/auth/user',
  access: 'signed-in',
  summary: 'The signed-in user; 401 without a session (signin-1).',
  response: SignedInUser,
})

export const sendMagicLink = endpoint({
  method: 'POST',
  path: '/api/auth/magic-link/send',
  access: 'public',
  summary:
    'Mails a sign-in link that works once, for 15 minutes. In development the response contains the link, too.',
  body: z.object({ email: Email }),
  response: z.object({
    message: z.string(),
    magicLink: z.optional(z.string()),
    development: z.optional(z.boolean()),
  }),
  fails: [502],
})

export const followMagicLink = endpoint({
  method: 'GET',
  path: '/sign-in/link',
  access: 'public',
  summary:
    'Signs in the browser that requested the link; any other browser gets a page with a button (signin-9).',
  query: z.object({ token: z.optional(z.string()) }),
  answers: 'document',
})

export const useMagicLink = endpoint({
  method: 'POST',
  path: '/sign-in/link',
  access: 'public',
  summary: 'Uses a sign-in link, from the button of that page.',
  query: z.object({ token: z.optional(z.string()) }),
  answers: 'redirect',
})

export const logout = endpoint({
  method: 'GET',
  path: '/api/logout',
  access: 'public',
  summary: 'Ends the session and redirects to the landing page.',
  answers: 'redirect',
})

/** Names of the sign-in providers in the database and in paths (signin-3); `oidc` is the operator's own (signin-14). */
export type ProviderName = 'google' | 'facebook' | 'replit' | 'oidc'

/** Parameters that a provider adds when it redirects back (RFC 6749 §4.1.2, RFC 9207). */
const ProviderAnswer = z.object({
  code: z.optional(z.string()),
  state: z.optional(z.string()),
  iss: z.optional(z.string()),
  error: z.optional(z.string()),
})

export const signInWithGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google',
  access: 'public',
  summary: 'Redirects to Google to sign in; to /auth when that is not possible (signin-6).',
  answers: 'redirect',
})

export const returnFromGoogle = endpoint({
  method: 'GET',
  path: '/api/auth/google/callback',
  access: 'public',
  summary: 'The callback of Google. Redirects to / when signed in, else to /auth with the reason.',
  query: ProviderAnswer,
  answers: 'redirect',
})

export const signInWithFacebook = endpoint({
  method: 'GET',
  path: '/api/auth/facebook',
  access: 'public',
  summary: 'Redirects to Facebook to sign in; to /auth when that is not possible (signin-6).',
  answers: 'redirect',
})

export const returnFromFacebook = endpoint({
  method: 'GET',
  path: '/api/auth/facebook/callback',
  access: 'public',
  summary: 'The callback of Facebook. Redirects to / when signed in, else to /auth with the reason.',
  query: ProviderAnswer,
  answers: 'redirect',
})

export const signInWithReplit = endpoint({
  method: 'GET',
  path: '/api/login',
  access: 'public',
  summary: 'Redirects to Replit to sign in; to /auth when that is not possible (signin-6).',
  answers: 'redirect',
})

export const returnFromReplit = endpoint({
  method: 'GET',
  path: '/api/callback',
  access: 'public',
  summary: 'The callback of Replit. Redirects to / when signed in, else to /auth with the reason.',
  query: ProviderAnswer,
  answers: 'redirect',
})

export const signInWithOpenId = endpoint({
  method: 'GET',
  path: '/api/auth/oidc',
  access: 'public',
  summary:
    "Redirects to the operator's own OpenID provider to sign in (signin-14); to /auth when that is not possible.",
  answers: 'redirect',
})

export const returnFromOpenId = endpoint({
  method: 'GET',
  path: '/api/auth/oidc/callback',
  access: 'public',
  summary:
    "The callback of the operator's own OpenID provider. Redirects to / when signed in, else to /auth with the reason.",
  query: ProviderAnswer,
  answers: 'redirect',
})
