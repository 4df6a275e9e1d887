import { useQuery } from '@tanstack/react-query'
import { openInvitation } from '../../contract/auth.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { config } from '../api/config.ts'
import { query } from '../api/query.ts'
import { ButtonTo } from '../ui/controls/Button.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { Wordmark } from '../ui/page/Wordmark.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { SignInLayout } from './SignInLayout.tsx'
import { SignInMethods } from './SignInMethods.tsx'

/** What the link of an invitation opens: what the service is, who runs it, and every way to sign in (signin-18). */
export function InvitePage({ token }: { token: string }) {
  usePageTitle('Invitation')
  const invitation = useQuery(query(openInvitation, { body: { token } }))
  return (
    <SignInLayout>
      <Wordmark className="py-3 text-[1.5rem]" />
      {invitation.isError ? (
        <LoadFailure isMain onRetry={invitation.refetch}>
          The invitation did not load.
        </LoadFailure>
      ) : invitation.data ? (
        <InvitationDetails invitation={invitation.data} />
      ) : (
        <p className="text-ink-2">Opening your invitation...</p>
      )}
    </SignInLayout>
  )
}

function InvitationDetails({ invitation }: { invitation: ResponseOf<typeof openInvitation> }) {
  const { state, registration, isSignedIn, expiresAt } = invitation
  const isWelcome = registration === 'open' || (registration === 'invite' && state === 'open')
  return (
    <>
      <h1 className="text-xl wide:text-xl">
        {isWelcome ? 'You are invited to Banger or Bust' : 'This invitation makes no account'}
      </h1>
      <p>
        {isWelcome
          ? 'Pick a microgenre, hear one song at a time, and rate it banger or bust. Your bangers go into your library.'
          : registration === 'closed'
            ? CLOSED_MESSAGE
            : UNUSABLE_MESSAGES[state]}
      </p>
      <OperatorNote />
      {isSignedIn ? (
        <>
          <p className="text-ink-2">You are signed in already, and need no invitation.</p>
          <ButtonTo to="/" variant="main">
            Go to Discover
          </ButtonTo>
        </>
      ) : (
        <>
          <p className="text-ink-2">
            {isWelcome && registration === 'invite' && expiresAt
              ? `Sign in to make your account, by ${formatDate(expiresAt, 'long')}.`
              : 'Sign in:'}
          </p>
          <SignInMethods />
        </>
      )}
    </>
  )
}

function OperatorNote() {
  const { contactEmail, operatorName } = config
  return (
    <p className="text-ink-2 wrap-anywhere">
      {operatorName
        ? `This service is run by ${operatorName}.`
        : `Whoever runs this service at ${location.host} has not given a name.`}
      {contactEmail && (
        <>
          {' '}
          Questions:{' '}
          <a href={`mailto:${contactEmail}`} className="underline underline-offset-3">
            {contactEmail}
          </a>
        </>
      )}
    </p>
  )
}

const ASK_FOR_NEW_ONE =
  'Please ask whoever gave it to you for a new one. If you have an account here, you can sign in.'

const CLOSED_MESSAGE = 'This service takes no new accounts. If you already have one, you can sign in.'

const UNUSABLE_MESSAGES = {
  open: '',
  used: `It was used already. ${ASK_FOR_NEW_ONE}`,
  expired: `It has expired. ${ASK_FOR_NEW_ONE}`,
  revoked: `It was revoked. ${ASK_FOR_NEW_ONE}`,
  unknown: `There is no invitation with this address: it may have been copied in part. ${ASK_FOR_NEW_ONE}`,
}
