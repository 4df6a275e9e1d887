import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { getAuthStatus } from '../../contract/diagnostics.ts'
import type { Response } from '../../contract/endpoint.ts'
import { query } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { AccountSteps } from './AccountSteps.tsx'
import { DiagnosticFrame } from './DiagnosticFrame.tsx'
import { DiagnosticSection } from './DiagnosticSection.tsx'
import { Fact, Facts } from './Facts.tsx'
import { toneLook } from './Tag.tsx'
import { UserCreationTest } from './UserCreationTest.tsx'

/** The authentication testing center (diagnostics-11). */
export function AuthTestPage() {
  const status = useQuery(query(getAuthStatus))
  return (
    <DiagnosticFrame
      title="Authentication Testing Center"
      words="Whether this server can create and read accounts, and how people sign in."
      actions={
        <Button disabled={status.isFetching} onClick={() => void status.refetch()}>
          <RefreshCw className="size-5" strokeWidth={1.75} aria-hidden="true" />
          Refresh Status
        </Button>
      }
    >
      <div className="grid gap-x-16 gap-y-10 pt-8 desk:grid-cols-2">
        <DiagnosticSection title="Status">
          {/* A failure hides earlier results, because they may be outdated. */}
          {status.isError ? (
            <p role="alert">
              <b className="font-semibold text-danger">Failed to load auth status</b>
              <span className="block text-ink-2">
                Refresh it; if that does not help, look into the server's log.
              </span>
            </p>
          ) : (
            <Status status={status.data} />
          )}
        </DiagnosticSection>
        <UserCreationTest />
        <AccountSteps />
      </div>
    </DiagnosticFrame>
  )
}

function Status({ status }: { status: Response<typeof getAuthStatus> | undefined }) {
  return (
    <Facts>
      <Fact name="Database">
        <span className={status?.database === 'error' ? toneLook('poor') : ''}>
          {status?.database ?? WAITING}
        </span>
      </Fact>
      <Fact name="Users">{status ? status.userCount?.toLocaleString() : WAITING}</Fact>
      <Fact name="Auth provider (Replit)">{status?.replitAuth ?? WAITING}</Fact>
      <Fact name="Google">{status?.googleAuth ?? WAITING}</Fact>
      <Fact name="Facebook">{status?.facebookAuth ?? WAITING}</Fact>
      <Fact name="OpenID provider">{status?.openIdAuth ?? WAITING}</Fact>
      <Fact name="E-mail links">{status?.emailAuth ?? WAITING}</Fact>
      <Fact name="Passkeys">{status?.passkeyAuth ?? WAITING}</Fact>
      <Fact name="Registration">{status?.registration ?? WAITING}</Fact>
      <Fact name="Environment">{status?.environment ?? WAITING}</Fact>
      {(['login', 'callback', 'user'] as const).map((name) => (
        <Fact key={name} name={endpointNames[name]}>
          {status ? <code>{status.authEndpoints[name]}</code> : WAITING}
        </Fact>
      ))}
    </Facts>
  )
}

const WAITING = '…'

const endpointNames = { login: 'Login endpoint', callback: 'Callback endpoint', user: 'User endpoint' }
