import type { PageParts } from './pageExtras.ts'
import { escapeHtml } from './pageExtras.ts'

interface PlainPage {
  title: string
  /** HTML. */
  body: string
  parts: PageParts
}

/** A document without the application, which works without JavaScript. */
export const plainPage = ({ title, body, parts: { styles, frames } }: PlainPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Banger or Bust</title>
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
  ${frames.wordmark}
  ${body}
</main>
</body>
</html>
`
