import { DatabaseUnavailable } from '../db/connections.ts'

/**
 * The result for one part. `off` means not configured, or nothing that can be checked. A `warning` says what to do; only
 * a `fault` makes the program fail.
 */
export interface Finding {
  part: string
  state: 'ok' | 'off' | 'warning' | 'fault'
  message: string
}

/** What one part can say. */
export const findingsFor = (part: string) => ({
  ok: (message: string): Finding => ({ part, state: 'ok', message }),
  off: (message: string): Finding => ({ part, state: 'off', message }),
  warning: (message: string): Finding => ({ part, state: 'warning', message }),
  fault: (message: string): Finding => ({ part, state: 'fault', message }),
})

/** A code such as ECONNREFUSED, or the message where there is none. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // The pool's error wraps the system's, which is more specific.
  if (error instanceof DatabaseUnavailable && error.cause) return reasonOf(error.cause)
  return 'code' in error && error.code ? String(error.code) : error.message
}

/** One finding of several faults, or that everything is well. */
export function summarizeAdvice(part: string, advice: string[], okMessage: string): Finding {
  if (advice.length === 0) return { part, state: 'ok', message: okMessage }
  return { part, state: 'warning', message: advice.join('; ') }
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** '1 minute', '5 hours', '3 days'. */
export function formatDuration(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => milliseconds >= length) ?? UNITS[2]
  const count = Math.floor(milliseconds / length)
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
