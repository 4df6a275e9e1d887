import * as z from 'zod/mini'
import { Email } from './email.ts'
import { endpoint } from './endpoint.ts'
import { Id, Moment } from './shapes.ts'

/** How songs on Discover are chosen (discover-70). */
export const SongChoice = z.enum(['liked', 'both', 'surprise', 'shuffle'])
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
    'Mails a sign-in link that works once, for 15 minutes. In development the response contains the link, too.',
  body: z.object({ email: Email }),
  response: z.object({
    message: z.string(),
    magicLink: z.optional(z.string()),
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
