import { logout } from '../../contract/auth.ts'
import { withBasePath } from '../api/paths.ts'
import { buttonClasses } from '../ui/controls/Button.tsx'
import { LogOut } from '../ui/icons.tsx'
import { visitorRatings } from './visitorRatings.ts'

/** What visitors rated and could not be added goes, too (visitors-24). */
export const logoutProps = { href: withBasePath(logout.path), onClick: () => visitorRatings.save(null) }

/** At the end of a header. */
export const LogoutLink = () => (
  <a {...logoutProps} className={buttonClasses({ variant: 'bare', size: 'tight' })}>
    <span className="max-roomy:sr-only">Logout</span>
    <LogOut className="size-5 roomy:hidden" />
  </a>
)
