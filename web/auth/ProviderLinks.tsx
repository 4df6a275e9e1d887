import { signInWithFacebook, signInWithGoogle, signInWithReplit } from '../../contract/auth.ts'
import { buttonLook } from '../ui/Button.tsx'
import { ProviderMark } from './ProviderMark.tsx'

/** The three providers. Each is a navigation and not a call (signin-5). */
export function ProviderLinks() {
  return (
    <div className="grid gap-2">
      {providers.map(({ name, path }) => (
        <a key={name} href={path} className={buttonLook({ className: 'min-h-12 w-full justify-start!' })}>
          <ProviderMark name={name} />
          Continue with {name}
        </a>
      ))}
    </div>
  )
}

const providers = [
  { name: 'Google', path: signInWithGoogle.path },
  { name: 'Facebook', path: signInWithFacebook.path },
  { name: 'Replit', path: signInWithReplit.path },
] as const
