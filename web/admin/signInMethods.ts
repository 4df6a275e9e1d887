import type { Account } from '../../contract/admin.ts'
import { config } from '../api/config.ts'

/** The ways in which an account can sign in. */
export function signInMethods({ email, providers }: Pick<Account, 'email' | 'providers'>): string {
  const names = {
    google: 'Google',
    facebook: 'Facebook',
    replit: 'Replit',
    oidc: config.openIdName ?? 'OpenID',
  }
  const methods = [...(email === null ? [] : ['e-mail']), ...providers.map((provider) => names[provider])]
  return methods.join(', ') || 'nothing'
}
