import { VERIFICATION_BATCH } from '../../contract/diagnostics.ts'
import type { VerificationRun } from './verificationRun.ts'

/** The last batch, the progress, and the state in words. */
export function VerificationProgress({ run }: { run: VerificationRun }) {
  return (
    <div className="grid gap-2 pt-6 pb-6">
      <div className="flex items-baseline justify-between gap-4">
        <p>
          {batchWords(run)}
          <span className="text-ink-2"> · {phaseWords[run.phase]}</span>
        </p>
        <span className="text-ink-2 tabular-nums">{run.progress}%</span>
      </div>
      <div
        role="progressbar"
        aria-label="Verification"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={run.progress}
        aria-valuetext={`${batchWords(run)}, ${run.progress}%`}
        className="h-1.5 bg-line"
      >
        <div className="h-full bg-ink" style={{ width: `${run.progress}%` }} />
      </div>
      {run.failure !== null && (
        <p className="text-ink-2">
          <b className="font-semibold text-danger">Stopped.</b> {run.failure.reason} What was checked so far
          is below; start again when the problem is fixed.
        </p>
      )}
    </div>
  )
}

const phaseWords = {
  idle: 'not started',
  running: 'running',
  stopped: 'stopped',
  completed: 'completed',
} satisfies Record<VerificationRun['phase'], string>

function batchWords({ batch, songCount }: VerificationRun): string {
  if (songCount === null) return `Batch ${batch}`
  return `Batch ${batch} of ${Math.max(1, Math.ceil(songCount / VERIFICATION_BATCH))}`
}
