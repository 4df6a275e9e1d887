import { RemoteProvider } from '../../../contract/uploads.ts'
import { type Env, keyNames } from '../../env.ts'

/** Unsplash is searched without signing in. */
const WITHOUT_SECRET: RemoteProvider[] = ['unsplash']

/** @throws Error that names what is missing, when no provider or a provider without its secret is configured. */
export function requireProviderKeys(env: Env): void {
  const configured = RemoteProvider.options.filter((name) => {
    const { key, secret } = keyNames(name)
    return env[key] || env[secret]
  })
  if (configured.length === 0) {
    const all = RemoteProvider.options.map((name) => `  ${requiredSettings(name).join(' and ')}`)
    throw new Error(`No remote provider has keys. Set the keys of at least one:\n${all.join('\n')}`)
  }
  const missing = configured.flatMap(requiredSettings).filter((name) => !env[name])
  if (missing.length > 0)
    throw new Error(`Not set: ${missing.join(', ')}. A provider needs its key and its secret.`)
}

function requiredSettings(name: RemoteProvider) {
  const { key, secret } = keyNames(name)
  return WITHOUT_SECRET.includes(name) ? [key] : [key, secret]
}
