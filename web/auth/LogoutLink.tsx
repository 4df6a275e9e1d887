import { logout } from '../../contract/auth.ts'
import { withBasePath } from '../api/paths.ts'
import { buttonClasses } from '../ui/controls/Button.tsx'
import { LogOut } from '../ui/icons.tsx'

/** At the end of a header. */
export const LogoutLink = () => (
  <a href={withBasePath(logout.path)} className={buttonClasses({ variant: 'bare', size: 'tight' })}>
    <span className="max-roomy:sr-only">Logout</span>
    <LogOut className="size-5 roomy:hidden" />
  </a>
)
