import type { Logger } from 'pino'
import {
  type ProviderName,
  returnFromFacebook,
  returnFromGoogle,
  returnFromOpenId,
  returnFromReplit,
} from '../../../contract/auth.ts'
import type { Env } from '../../env.ts'
import { createFacebook } from './facebook.ts'
import { createOpenIdProvider } from './openId.ts'
import type { SignInProvider } from './signInProvider.ts'

/** Providers without keys are null (signin-6). */
export type SignInProviders = Record<ProviderName, SignInProvider | null>

export function createSignInProviders(env: Env, log: Logger): SignInProviders {
  const callbacks = callbackAddresses(env)
  return {
    google:
      env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
        ? createOpenIdProvider(log, {
            name: 'google',
            issuer: env.GOOGLE_ISSUER,
            clientId: env.GOOGLE_CLIENT_ID,
            clientSecret: env.GOOGLE_CLIENT_SECRET,
            redirectUri: callbacks.google,
          })
        : null,
    facebook:
      env.FACEBOOK_CLIENT_ID && env.FACEBOOK_CLIENT_SECRET
        ? createFacebook(log, {
            dialogUrl: env.FACEBOOK_DIALOG_URL,
            graphUrl: env.FACEBOOK_GRAPH_URL,
            clientId: env.FACEBOOK_CLIENT_ID,
            clientSecret: env.FACEBOOK_CLIENT_SECRET,
            redirectUri: callbacks.facebook,
          })
        : null,
    replit: env.REPLIT_CLIENT_ID
      ? createOpenIdProvider(log, {
          name: 'replit',
          issuer: env.REPLIT_ISSUER,
          clientId: env.REPLIT_CLIENT_ID,
          redirectUri: callbacks.replit,
        })
      : null,
    oidc:
      env.OIDC_ISSUER && env.OIDC_CLIENT_ID
        ? createOpenIdProvider(log, {
            name: 'oidc',
            issuer: env.OIDC_ISSUER,
            clientId: env.OIDC_CLIENT_ID,
            clientSecret: env.OIDC_CLIENT_SECRET,
            redirectUri: callbacks.oidc,
            scopes: env.OIDC_SCOPES,
            allowedGroups: env.OIDC_ALLOWED_GROUPS,
          })
        : null,
  }
}

/** The callback addresses to register at each provider. They follow PUBLIC_URL and never a Host header. */
export function callbackAddresses(env: Env): Record<ProviderName, string> {
  return {
    google: env.publicUrl + returnFromGoogle.path,
    facebook: env.publicUrl + returnFromFacebook.path,
    replit: env.publicUrl + returnFromReplit.path,
    oidc: env.publicUrl + returnFromOpenId.path,
  }
}
