import { Link } from 'wouter'
import { MagicLinkForm } from './MagicLinkForm.tsx'
import { ProviderLinks } from './ProviderLinks.tsx'

/** Every way to sign in (signin-3). */
export function SignInMethods() {
  return (
    <>
      <ProviderLinks />
      <p className="grid grid-cols-[1fr_auto_1fr] items-center gap-4 text-xs text-ink-2 before:h-px before:bg-line after:h-px after:bg-line">
        or by e-mail
      </p>
      <MagicLinkForm />
      <PasswordNote />
    </>
  )
}

function PasswordNote() {
  return (
    <p className="text-xs text-ink-2">
      No passwords. See the{' '}
      <Link href="/privacy" className="inline-block py-1 underline underline-offset-3 hover:text-ink">
        privacy policy
      </Link>
      .
    </p>
  )
}
