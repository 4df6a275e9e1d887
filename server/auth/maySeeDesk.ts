import type { Env } from '../env.ts'
import type { SessionUser } from '../http/route.ts'
import { canSeeDiagnostics } from './maySeeDiagnostics.ts'

/** The desk is for stewards, and for whoever may see the diagnostic pages (desk-10). */
export function canSeeDesk(env: Env, user: SessionUser): boolean {
  return user.isSteward || canSeeDiagnostics(env, user)
}
