import {
  signInWithFacebook,
  signInWithGoogle,
  signInWithOpenId,
  signInWithReplit,
} from '../../contract/signInProviders.ts'
import { addressOf } from '../api/address.ts'
import { config } from '../api/config.ts'
import { buttonLook } from '../ui/Button.tsx'
import { KeyRound } from '../ui/icons.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import { ProviderMark } from './ProviderMark.tsx'

/**
 * The three providers, and the operator's own (signin-14). Each is a navigation and not a call (signin-5). Below them the
 * way with a passkey.
 */
export function ProviderLinks() {
  const { openIdName } = config
  return (
    <div className="grid gap-2">
      {providers.map(({ name, path }) => (
        <a key={name} href={addressOf(path)} className={look}>
          <ProviderMark name={name} />
          Continue with {name}
        </a>
      ))}
      {openIdName && (
        <a href={addressOf(signInWithOpenId.path)} className={look}>
          <KeyRound className="size-5 flex-none" />
          <span className="py-1 wrap-anywhere whitespace-normal">Continue with {openIdName}</span>
        </a>
      )}
      <PasskeyButton />
    </div>
  )
}

const look = buttonLook({ className: 'min-h-12 w-full justify-start!' })

const providers = [
  { name: 'Google', path: signInWithGoogle.path },
  { name: 'Facebook', path: signInWithFacebook.path },
  { name: 'Replit', path: signInWithReplit.path },
] as const
