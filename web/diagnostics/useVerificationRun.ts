import { useEffect, useRef, useState } from 'react'
import type { Toast } from '../ui/toastQueue.ts'
import { useOwnToast } from './useOwnToast.ts'
import { idleRun, nextRun, startedRun, type VerificationRun } from './verificationRun.ts'
import { verifyCatalogue } from './verifyCatalogue.ts'

/** The run of this page; leaving the page stops it. */
export function useVerificationRun(): { run: VerificationRun; start: () => void; stop: () => void } {
  const toast = useOwnToast()
  const [run, setRun] = useState(idleRun)
  const stopping = useRef<AbortController | null>(null)
  const last = useRef<Promise<void>>(Promise.resolve())
  useEffect(() => () => stopping.current?.abort(), [])

  async function follow(signal: AbortSignal) {
    let known = startedRun
    for await (const event of verifyCatalogue(signal)) {
      if (signal.aborted) return
      known = nextRun(known, event)
      setRun(known)
    }
    const end = signal.aborted ? null : endOf(known)
    if (end) toast(end)
  }

  return {
    run,
    start() {
      const controller = new AbortController()
      stopping.current?.abort()
      stopping.current = controller
      setRun(startedRun)
      last.current = last.current.then(() =>
        controller.signal.aborted ? undefined : follow(controller.signal),
      )
    },
    stop() {
      stopping.current?.abort()
      setRun((known) => nextRun(known, { type: 'stopped' }))
    },
  }
}

/** The two automatic ends (diagnostics-10). */
function endOf({ phase, failure, stats }: VerificationRun): Toast | null {
  if (failure !== null)
    return {
      title: 'Verification Failed',
      description: `${failure.what}: ${failure.reason}`,
      tone: 'error',
    }
  if (phase !== 'completed') return null
  return {
    title: 'Verification Complete',
    description: `Processed ${stats.total} songs: ${stats.accessible} accessible, ${stats.blocked} blocked.`,
    tone: 'success',
    duration: 4000,
  }
}
