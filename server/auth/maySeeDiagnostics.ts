import type { Env } from '../env.ts'
import type { SignedIn } from '../http/route.ts'

/** Whether the diagnostic pages are for this listener: in production DIAGNOSTIC_EMAILS may name a few (D-17). */
export function maySeeDiagnostics(env: Env, { email }: SignedIn): boolean {
  if (!env.production || env.DIAGNOSTIC_EMAILS.length === 0) return true
  return email !== null && env.DIAGNOSTIC_EMAILS.includes(email)
}
