import { UserPlus } from 'lucide-react'
import { testUserCreation } from '../../contract/diagnostics.ts'
import type { Response } from '../../contract/endpoint.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { DiagnosticSection } from './DiagnosticSection.tsx'
import { explainFailure } from './explainFailure.ts'
import { Fact, Facts } from './Facts.tsx'
import { Tag } from './Tag.tsx'
import { useOwnToast } from './useOwnToast.ts'

/** Creates an account as sign-in does; the server rolls it back (diagnostics-13). */
export function UserCreationTest() {
  const toast = useOwnToast()
  const test = useAction({
    mutationFn: () => call(testUserCreation),
    onError: (error) =>
      toast({
        title: 'Test Failed',
        description: explainFailure('User creation test failed', error),
        tone: 'error',
      }),
  })
  return (
    <DiagnosticSection
      title="User creation"
      words="Creates an account and signs in to it, as on a first sign-in, then rolls both back. Nothing is stored."
    >
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="main" disabled={test.isPending} onClick={() => test.mutate()}>
          <UserPlus className="size-5" strokeWidth={1.75} aria-hidden="true" />
          Test User Creation
        </Button>
        <p role="status">{test.isPending ? 'Testing ...' : test.data && <Verdict result={test.data} />}</p>
      </div>
      {test.data && !test.isPending && <Results result={test.data} />}
    </DiagnosticSection>
  )
}

type Result = Response<typeof testUserCreation>

function Verdict({ result }: { result: Result }) {
  return result.overall === 'passed' ? (
    <b className="font-semibold text-success">Tests Passed</b>
  ) : (
    <b className="font-semibold text-danger">Tests Failed</b>
  )
}

function Results({ result }: { result: Result }) {
  return (
    <Facts>
      {(['userCreation', 'authFlow', 'overall'] as const).map((name) => (
        <Fact key={name} name={names[name]}>
          <Tag tone={result[name] === 'passed' ? 'good' : 'poor'}>{result[name]}</Tag>
        </Fact>
      ))}
      <Fact name="Time">
        <time dateTime={result.timestamp}>{new Date(result.timestamp).toLocaleString()}</time>
      </Fact>
    </Facts>
  )
}

const names = { userCreation: 'User creation', authFlow: 'Auth flow', overall: 'Overall' }
