import { useState } from 'react'
import { Button } from '../ui/controls/Button.tsx'
import { Mail } from '../ui/laterIcons.ts'
import { Wordmark } from '../ui/page/Wordmark.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { MagicLinkForm } from './MagicLinkForm.tsx'
import { SignInError } from './SignInError.tsx'
import { RegistrationClosedNote, SignInLayout } from './SignInLayout.tsx'
import { ProviderLinks } from './SignInMethods.tsx'

/** The short page: providers, and the e-mail form on request (signin-3). */
export function LoginPage() {
  usePageTitle('Log in')
  const [showsMailForm, setShowsMailForm] = useState(false)
  return (
    <SignInLayout>
      <div className="my-auto grid w-full gap-4 wide:mx-auto wide:max-w-100 wide:gap-5 roomy:ml-0">
        <div className="grid gap-3">
          <Wordmark className="py-3 text-[1.5rem]" />
          <h1 className="text-xl wide:text-xl">Log in</h1>
          <RegistrationClosedNote />
        </div>
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
      </div>
    </SignInLayout>
  )
}
