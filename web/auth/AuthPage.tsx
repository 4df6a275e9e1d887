import { Link, useRoute } from 'wouter'
import { buttonClasses } from '../ui/controls/Button.tsx'
import { ArrowLeft } from '../ui/icons.tsx'
import { Wordmark } from '../ui/page/Wordmark.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { SignInError } from './SignInError.tsx'
import { RegistrationClosedNote, SignInLayout } from './SignInLayout.tsx'
import { SignInMethods } from './SignInMethods.tsx'

/** The full sign-in page: every method, the link back (signin-3), and why it shows (people-12). */
export function AuthPage() {
  usePageTitle('Sign in')
  const [isProfile] = useRoute('/profile')
  return (
    <SignInLayout>
      <Link
        href="/"
        className={buttonClasses({ variant: 'bare', size: 'tight', className: '-ml-3 self-start' })}
      >
        <ArrowLeft />
        Back to home
      </Link>
      <div className="mt-5 grid w-full gap-4 wide:mx-auto wide:max-w-100 wide:gap-5 roomy:my-auto roomy:ml-0">
        <div className="grid gap-3">
          <Wordmark className="py-3 text-[1.5rem]" />
          <h1 className="text-xl wide:text-xl">Sign in to start rating</h1>
          {isProfile && (
            <div>
              <h2 className="text-base">Please Log In</h2>
              <p className="text-base text-ink-2">You need to log in to view your profile.</p>
            </div>
          )}
          <RegistrationClosedNote />
        </div>
        <SignInError />
        <SignInMethods />
      </div>
    </SignInLayout>
  )
}
