import { Download, Play, Square } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { DiagnosticFrame } from './DiagnosticFrame.tsx'
import { saveText } from './saveText.ts'
import { useVerificationRun } from './useVerificationRun.ts'
import { VerificationCounters } from './VerificationCounters.tsx'
import { VerificationProgress } from './VerificationProgress.tsx'
import { VerificationResults } from './VerificationResults.tsx'
import { verificationCsv, verificationFileName } from './verificationCsv.ts'

/** The verification center (diagnostics-2). */
export function VerificationPage() {
  const { run, start, stop } = useVerificationRun()
  const running = run.phase === 'running'
  return (
    <DiagnosticFrame
      title="Audio Verification Center"
      words="Asks YouTube about the video of every song, 20 at a time and a second apart. Songs are not changed."
      actions={
        <>
          <Button variant={running ? 'outline' : 'main'} disabled={running} onClick={start}>
            <Play {...icon} />
            Start Verification
          </Button>
          <Button variant={running ? 'main' : 'outline'} disabled={!running} onClick={stop}>
            <Square {...icon} />
            Stop
          </Button>
          <Button
            disabled={run.results.length === 0}
            onClick={() => saveText(verificationFileName(new Date()), verificationCsv(run.results))}
          >
            <Download {...icon} />
            Export Results
          </Button>
        </>
      }
    >
      <VerificationProgress run={run} />
      <VerificationCounters stats={run.stats} />
      <VerificationResults results={run.results} running={running} />
    </DiagnosticFrame>
  )
}

const icon = { className: 'size-5', strokeWidth: 1.75, 'aria-hidden': true } as const
