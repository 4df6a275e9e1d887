import { useState } from 'react'
import { Button } from '../ui/controls/Button.tsx'
import { Mail } from '../ui/laterIcons.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { MagicLinkForm } from './MagicLinkForm.tsx'
import { SignInError } from './SignInError.tsx'
import { SignInHeading, SignInLayout } from './SignInLayout.tsx'
import { ProviderLinks } from './SignInMethods.tsx'

/** The short page: providers, and the e-mail form on request (signin-3). */
export function LoginPage() {
  usePageTitle('Log in')
  const [showsMailForm, setShowsMailForm] = useState(false)
  return (
    <SignInLayout>
      <SignInHeading title="Log in" />
      <SignInError />
      <ProviderLinks />
      {showsMailForm ? (
        <MagicLinkForm />
      ) : (
        <Button className="min-h-12 justify-start!" onClick={() => setShowsMailForm(true)}>
          <Mail className="mx-0.5 size-5" />
          Continue with e-mail
        </Button>
      )}
    </SignInLayout>
  )
}
