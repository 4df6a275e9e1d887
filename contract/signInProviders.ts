import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

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
