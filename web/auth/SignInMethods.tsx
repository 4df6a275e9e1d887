import { useState } from 'react'
import { Link } from 'wouter'
import {
  signInWithFacebook,
  signInWithGoogle,
  signInWithOpenId,
  signInWithReplit,
} from '../../contract/auth.ts'
import { config } from '../api/config.ts'
import { withBasePath } from '../api/paths.ts'
import { useSinglePress } from '../api/useSinglePress.ts'
import { Button, buttonClasses } from '../ui/controls/Button.tsx'
import { Fingerprint, KeyRound } from '../ui/icons.tsx'
import { toast } from '../ui/toast.ts'
import { MagicLinkForm } from './MagicLinkForm.tsx'
import { canUsePasskeys, finishPasskeySignIn, passkeySignInMessage, requestPasskey } from './passkeys.ts'

/** Every way to sign in (signin-3). */
export function SignInMethods() {
  return (
    <>
      <ProviderLinks />
      <p className="grid grid-cols-[1fr_auto_1fr] items-center gap-4 text-xs text-ink-2 before:h-px before:bg-line after:h-px after:bg-line">
        or by e-mail
      </p>
      <MagicLinkForm />
      <p className="text-xs text-ink-2">
        No passwords. See the{' '}
        <Link href="/privacy" className="inline-block py-1 underline underline-offset-3 hover:text-ink">
          privacy policy
        </Link>
        .
      </p>
    </>
  )
}

/**
 * The three providers, the operator's own (signin-14), and a passkey. A provider's link is a navigation, not a call
 * (signin-5).
 */
export function ProviderLinks() {
  const { openIdName } = config
  return (
    <div className="grid gap-2">
      {providers.map(({ name, path }) => (
        <a key={name} href={withBasePath(path)} className={linkClass}>
          <ProviderLogo name={name} />
          Continue with {name}
        </a>
      ))}
      {openIdName && (
        <a href={withBasePath(signInWithOpenId.path)} className={linkClass}>
          <KeyRound className="size-5 flex-none" />
          <span className="py-1 wrap-anywhere whitespace-normal">Continue with {openIdName}</span>
        </a>
      )}
      <PasskeyButton />
    </div>
  )
}

const linkClass = buttonClasses({ className: 'min-h-12 w-full justify-start!' })

const providers = [
  { name: 'Google', path: signInWithGoogle.path },
  { name: 'Facebook', path: signInWithFacebook.path },
  { name: 'Replit', path: signInWithReplit.path },
] as const

/** Signs in with a passkey that the browser finds, without a name or an address (signin-20). */
function PasskeyButton() {
  const [isPending, setPending] = useState(false)
  const pressOnce = useSinglePress()

  async function signIn() {
    setPending(true)
    try {
      await finishPasskeySignIn(await requestPasskey())
    } catch (error) {
      toast.error(passkeySignInMessage(error as Error), 'Not signed in')
    }
    setPending(false)
  }

  if (!canUsePasskeys) return null
  return (
    <Button className="min-h-12 w-full justify-start!" pending={isPending} onClick={() => pressOnce(signIn)}>
      <Fingerprint className="size-5 flex-none" />
      Sign in with a passkey
    </Button>
  )
}

/** The logos of the providers, unchanged, as their owners ask. */
const logos = {
  Google: {
    size: 48,
    shapes: [
      [
        '#ea4335',
        'M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z',
      ],
      [
        '#4285f4',
        'M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z',
      ],
      [
        '#fbbc05',
        'M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z',
      ],
      [
        '#34a853',
        'M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z',
      ],
    ],
  },
  Facebook: {
    size: 24,
    shapes: [
      ['#fff', 'M6 4h12v20H6z'],
      [
        '#1877f2',
        'M24 12.073c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.99 4.388 10.954 10.125 11.854v-8.385H7.078v-3.47h3.047V9.43c0-3.007 1.792-4.669 4.533-4.669 1.312 0 2.686.235 2.686.235v2.953H15.83c-1.491 0-1.956.925-1.956 1.874v2.25h3.328l-.532 3.47h-2.796v8.385C19.612 23.027 24 18.062 24 12.073z',
      ],
    ],
  },
  Replit: {
    size: 24,
    shapes: [
      [
        '#f26207',
        'M2 1.5A1.5 1.5 0 0 1 3.5 0h7A1.5 1.5 0 0 1 12 1.5V8H3.5A1.5 1.5 0 0 1 2 6.5zM12 8h8.5A1.5 1.5 0 0 1 22 9.5v5a1.5 1.5 0 0 1-1.5 1.5H12zM2 17.5A1.5 1.5 0 0 1 3.5 16H12v6.5a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 2 22.5z',
      ],
    ],
  },
} as const

function ProviderLogo({ name }: { name: keyof typeof logos }) {
  const { size, shapes } = logos[name]
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className="size-5 flex-none" aria-hidden="true">
      {shapes.map(([color, path]) => (
        <path key={color} fill={color} d={path} />
      ))}
    </svg>
  )
}
