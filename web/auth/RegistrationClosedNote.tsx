import { config } from '../api/config.ts'

/** Who can sign in while registration is not open (signin-16, signin-19). */
export function RegistrationClosedNote() {
  if (!config.isClosed) return null
  return <p className="text-ink-2">Only people with an account or an invitation can sign in.</p>
}
