import type { Env } from '../env.ts'
import type { SessionUser } from '../http/route.ts'
import { maySeeDiagnostics } from './maySeeDiagnostics.ts'

/** The desk is for stewards, and for whoever may see the diagnostic pages (desk-10). */
export function maySeeDesk(env: Env, user: SessionUser): boolean {
  return user.isSteward || maySeeDiagnostics(env, user)
}
