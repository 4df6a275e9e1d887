import { escapeHtml } from '../http/pageExtras.ts'
import { plainPage } from '../http/plainPage.ts'

interface LinkPage {
  token: string
  /** The address that the link signs in, in part; null when the link does not work. */
  address: string | null
  /** Links to the style sheet. */
  styles: string
}

/**
 * The page for a magic link that is opened in another browser than the one that requested it. Mail scanners open
 * links too, so only its button uses the link up. It names the account, because the link may be a stranger's
 * (signin-9).
 */
export function linkPage({ token, address, styles }: LinkPage): string {
  // The page's own address.
  const action = `?token=${encodeURIComponent(token)}`
  const account = address === null ? '' : ` as <b>${escapeHtml(address)}</b>`
  return plainPage({
    title: 'Sign in',
    styles,
    body: `<h1>Sign in to Banger or Bust</h1>
  <p>You opened your link in another browser than the one that asked for it. Press the button to sign in here${account}.</p>
  <form method="post" action="${action}"><button type="submit" class="way-out">Sign in</button></form>`,
  })
}
