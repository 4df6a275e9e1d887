import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '../env.ts'
import { packagePath } from '../packagePath.ts'
import { escapeHtml, type Frames, NO_FRAMES } from './pageExtras.ts'
import { atBasePath, withOwnPreloads } from './servePages.ts'

/** What documents without the application take from the web application. */
export interface PageParts {
  /** The links to icon, style sheet and fonts. */
  styles: string
  frames: Frames
}

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

export async function loadPageParts(pages: 'built' | 'development' | 'none', env: Env): Promise<PageParts> {
  if (pages === 'none') return { styles: '', frames: NO_FRAMES }
  if (pages === 'development') {
    const { runnerImport } = await import('vite')
    const { module } = await runnerImport<{ frames: Frames }>(packagePath('web/app/frames.tsx'), {
      configFile: false,
    })
    const styles = `<link rel="stylesheet" href="${env.basePath}/@source/app/style.css">`
    return { styles, frames: module.frames }
  }
  const read = (name: string) => readFileSync(path.join(packagePath('dist/web'), name), 'utf8')
  const page = withOwnPreloads(atBasePath(read('index.html'), env), '', 'no')
  const styles = page.match(/<link [^>]*(rel="icon"|rel="stylesheet"|as="font")[^>]*>/g) ?? []
  return { styles: styles.join('\n'), frames: JSON.parse(read('frames.json')) }
}
