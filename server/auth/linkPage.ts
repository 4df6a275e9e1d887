/**
 * The page for a magic link that is opened in another browser than the one that requested it. Mail scanners open
 * links too, so only its button uses the link up (signin-9). It is plain HTML and works without JavaScript.
 */
export function linkPage(token: string): string {
  const action = `/sign-in/link?token=${encodeURIComponent(token)}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>Sign in · Banger or Bust</title>
<style>
  :root { --paper: oklch(0.172 0.007 60); --ink: oklch(0.958 0.012 85); --quiet: oklch(0.785 0.014 80) }
  @media (prefers-color-scheme: light) {
    :root { --paper: oklch(0.965 0.008 85); --ink: oklch(0.22 0.012 55); --quiet: oklch(0.41 0.014 60) }
  }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper);
    color: var(--ink); font: 17px/1.5 system-ui, sans-serif }
  main { max-width: 24rem; padding: 2rem }
  h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .75rem }
  p { color: var(--quiet); margin: 0 0 1.5rem }
  button { font: inherit; font-weight: 600; min-height: 44px; padding: 0 1.5rem; border: 0; border-radius: 6px;
    background: var(--ink); color: var(--paper); cursor: pointer }
  button:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
</style>
</head>
<body>
<main>
  <h1>Sign in to Banger or Bust</h1>
  <p>You opened your link on another device than the one that asked for it. Press the button to sign in here.</p>
  <form method="post" action="${action}"><button type="submit">Sign in</button></form>
</main>
</body>
</html>
`
}
