import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '../env.ts'
import { packagePath } from '../packagePath.ts'
import { type Frames, NO_FRAMES, type PageParts } from './pageExtras.ts'
import { atBasePath, withOwnPreloads } from './servePages.ts'

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
