import { Link, useRoute } from 'wouter'
import { buttonClasses } from '../ui/controls/Button.tsx'
import { ArrowLeft } from '../ui/icons.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { SignInError } from './SignInError.tsx'
import { SignInHeading, SignInLayout } from './SignInLayout.tsx'
import { SignInMethods } from './SignInMethods.tsx'

/** The full sign-in page: every method, the link back (signin-3), and why it shows (people-12). */
export function AuthPage() {
  usePageTitle('Sign in')
  const [isProfile] = useRoute('/profile')
  return (
    <SignInLayout
      backLink={
        <Link
          href="/"
          className={buttonClasses({ variant: 'bare', size: 'tight', className: '-ml-3 self-start' })}
        >
          <ArrowLeft />
          Back to home
        </Link>
      }
    >
      <SignInHeading title="Sign in to start rating">
        {isProfile && (
          <div>
            <h2 className="text-base">Please Log In</h2>
            <p className="text-base text-ink-2">You need to log in to view your profile.</p>
          </div>
        )}
      </SignInHeading>
      <SignInError />
      <SignInMethods />
    </SignInLayout>
  )
}
