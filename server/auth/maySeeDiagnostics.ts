import type { Env } from '../env.ts'
import type { SessionUser } from '../http/route.ts'

/** In production, only the people in DIAGNOSTIC_EMAILS see the diagnostic pages (diagnostics-1). */
export function canSeeDiagnostics(env: Env, { email }: SessionUser): boolean {
  if (!env.production) return true
  return email !== null && env.DIAGNOSTIC_EMAILS.includes(email)
}
