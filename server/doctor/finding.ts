import { DatabaseUnavailable } from '../db/connections.ts'

/**
 * The result for one part. `off`: it is not configured, or there is nothing to check. A `warning` says what to do. Only a
 * `fault` makes the program fail.
 */
export interface Finding {
  part: string
  state: 'ok' | 'off' | 'warning' | 'fault'
  message: string
}

/** Makes findings of one part. */
export const findingsFor = (part: string) => ({
  ok: (message: string): Finding => ({ part, state: 'ok', message }),
  off: (message: string): Finding => ({ part, state: 'off', message }),
  warning: (message: string): Finding => ({ part, state: 'warning', message }),
  fault: (message: string): Finding => ({ part, state: 'fault', message }),
})

/** A code such as ECONNREFUSED, or the message where there is none. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // The system's error, which the pool's wraps, is more specific.
  if (error instanceof DatabaseUnavailable && error.cause) return reasonOf(error.cause)
  return 'code' in error && error.code ? String(error.code) : error.message
}

/** A warning with all advice, or that all is well if there is none. */
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
