import type { Env } from '../env.ts'
import type { SignedIn } from '../http/route.ts'

/** In production, DIAGNOSTIC_EMAILS may restrict who sees the diagnostic pages (diagnostics-1). */
export function maySeeDiagnostics(env: Env, { email }: SignedIn): boolean {
  if (!env.production || env.DIAGNOSTIC_EMAILS.length === 0) return true
  return email !== null && env.DIAGNOSTIC_EMAILS.includes(email)
}
