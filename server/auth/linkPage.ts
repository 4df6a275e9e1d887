import { escapeHtml, WORDMARK } from '../http/pageExtras.ts'

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
 * (signin-9). It is plain HTML and works without JavaScript.
 */
export function linkPage({ token, address, styles }: LinkPage): string {
  // The page's own address.
  const action = `?token=${encodeURIComponent(token)}`
  const account = address === null ? '' : ` as <b>${escapeHtml(address)}</b>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>Sign in · Banger or Bust</title>
${styles}
<style>
  main { display: grid; align-content: center; justify-items: start; gap: 1rem; box-sizing: border-box;
    min-height: 100svh; max-width: 32rem; margin: 0 auto; padding: 2rem 1rem }
  .wordmark { font-size: 1.5rem; margin-bottom: 1.5rem }
  p { margin: 0; font-size: 1.0625rem; line-height: 1.625rem; color: var(--ink-2) }
  p b { display: inline-block; max-width: 100%; font-weight: 600; color: var(--ink); overflow-wrap: anywhere }
  form { margin-top: .75rem }
</style>
</head>
<body>
<main>
  ${WORDMARK}
  <h1>Sign in to Banger or Bust</h1>
  <p>You opened your link in another browser than the one that asked for it. Press the button to sign in here${account}.</p>
  <form method="post" action="${action}"><button type="submit" class="way-out">Sign in</button></form>
</main>
</body>
</html>
`
}
