import { useQuery } from '@tanstack/react-query'
import { getAuthStatus, testUserCreation } from '../../contract/diagnostics.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { Button } from '../ui/controls/Button.tsx'
import { RefreshCw, UserPlus } from '../ui/laterIcons.ts'
import { DiagnosticFrame, DiagnosticSection, Fact, Facts, Tag, toneClasses } from './DiagnosticFrame.tsx'
import { explainFailure, useTool } from './useTool.ts'

/** The authentication testing center (diagnostics-11). */
export function AuthTestPage() {
  const status = useQuery(query(getAuthStatus))
  return (
    <DiagnosticFrame
      title="Authentication Testing Center"
      description="Whether this server can create and read accounts, and how people sign in."
      actions={
        <Button disabled={status.isFetching} onClick={() => void status.refetch()}>
          <RefreshCw />
          Refresh Status
        </Button>
      }
    >
      <div className="grid gap-x-16 gap-y-10 pt-8 large:grid-cols-2">
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

function Status({ status }: { status: ResponseOf<typeof getAuthStatus> | undefined }) {
  return (
    <Facts>
      <Fact name="Database">
        <span className={status?.database === 'error' ? toneClasses.poor : ''}>
          {status?.database ?? PLACEHOLDER}
        </span>
      </Fact>
      <Fact name="Users">{status ? status.userCount?.toLocaleString() : PLACEHOLDER}</Fact>
      <Fact name="Auth provider (Replit)">{status?.replitAuth ?? PLACEHOLDER}</Fact>
      <Fact name="Google">{status?.googleAuth ?? PLACEHOLDER}</Fact>
      <Fact name="Facebook">{status?.facebookAuth ?? PLACEHOLDER}</Fact>
      <Fact name="OpenID provider">{status?.openIdAuth ?? PLACEHOLDER}</Fact>
      <Fact name="E-mail links">{status?.emailAuth ?? PLACEHOLDER}</Fact>
      <Fact name="Passkeys">{status?.passkeyAuth ?? PLACEHOLDER}</Fact>
      <Fact name="Registration">{status?.registration ?? PLACEHOLDER}</Fact>
      <Fact name="Environment">{status?.environment ?? PLACEHOLDER}</Fact>
      {(['login', 'callback', 'user'] as const).map((name) => (
        <Fact key={name} name={endpointNames[name]}>
          {status ? <code>{status.authEndpoints[name]}</code> : PLACEHOLDER}
        </Fact>
      ))}
    </Facts>
  )
}

const PLACEHOLDER = '…'

const endpointNames = { login: 'Login endpoint', callback: 'Callback endpoint', user: 'User endpoint' }

/** Creates an account as sign-in does; the server rolls it back (diagnostics-13). */
function UserCreationTest() {
  const test = useTool({
    mutationFn: () => call(testUserCreation),
    failure: { title: 'Test Failed', what: 'User creation test failed' },
    explain: explainFailure,
  })
  return (
    <DiagnosticSection
      title="User creation"
      description="Creates an account and signs in to it, as on a first sign-in, then rolls both back. Nothing is stored."
    >
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="main" disabled={test.isPending} onClick={() => test.mutate()}>
          <UserPlus />
          Test User Creation
        </Button>
        <p role="status">
          {test.isPending ? 'Testing ...' : test.data && <TestVerdict result={test.data} />}
        </p>
      </div>
      {test.data && !test.isPending && <TestResults result={test.data} />}
    </DiagnosticSection>
  )
}

type Result = ResponseOf<typeof testUserCreation>

function TestVerdict({ result }: { result: Result }) {
  return result.overall === 'passed' ? (
    <b className="font-semibold text-success">Tests Passed</b>
  ) : (
    <b className="font-semibold text-danger">Tests Failed</b>
  )
}

function TestResults({ result }: { result: Result }) {
  return (
    <Facts>
      {(['userCreation', 'authFlow', 'overall'] as const).map((name) => (
        <Fact key={name} name={testNames[name]}>
          <Tag tone={result[name] === 'passed' ? 'good' : 'poor'}>{result[name]}</Tag>
        </Fact>
      ))}
      <Fact name="Time">
        <time dateTime={result.timestamp}>{new Date(result.timestamp).toLocaleString()}</time>
      </Fact>
    </Facts>
  )
}

const testNames = { userCreation: 'User creation', authFlow: 'Auth flow', overall: 'Overall' }

/** Account creation in five steps (diagnostics-11). */
function AccountSteps() {
  return (
    <DiagnosticSection title="How an account is made" className="large:col-span-2">
      <ol className="grid gap-x-6 border-line max-wide:border-t wide:grid-cols-5">
        {accountSteps.map(([name, description], index) => (
          <li
            key={name}
            className="grid grid-cols-[1.75rem_minmax(0,1fr)] content-start gap-x-1 border-line py-3 max-wide:border-b wide:grid-cols-1 wide:gap-y-1 wide:border-t-2 wide:border-t-line-strong"
          >
            <span aria-hidden="true" className="font-display font-bold text-ink-3">
              {index + 1}
            </span>
            <div className="grid gap-0.5">
              <b className="font-semibold">{name}</b>
              <span className="text-xs text-ink-2">{description}</span>
            </div>
          </li>
        ))}
      </ol>
    </DiagnosticSection>
  )
}

const accountSteps = [
  ['Login redirect', 'The browser goes to the login endpoint, and on to the provider.'],
  ['Provider authentication', 'The provider authenticates the person; this server never sees a password.'],
  ['Callback', 'The provider sends the browser back, with a code that works once.'],
  ['User record created or updated', 'A new person gets an account; a known one keeps theirs.'],
  ['Access granted', 'A session starts, and the user endpoint returns the account.'],
] as const
