import { signInWithFacebook, signInWithGoogle, signInWithReplit } from '../../contract/auth.ts'
import { buttonLook } from '../ui/Button.tsx'

/** The three providers. Each is a navigation and not a call (signin-5). */
export function ProviderLinks() {
  return (
    <div className="grid gap-2">
      {providers.map(({ name, path }) => (
        <a key={name} href={path} className={buttonLook({ className: 'min-h-12 w-full justify-start!' })}>
          <span aria-hidden="true" className="w-6 text-center font-display text-lg/none font-extrabold">
            {name.charAt(0)}
          </span>
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
]
