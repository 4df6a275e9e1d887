import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'

const web = fileURLToPath(new URL('../../../web/', import.meta.url))

/**
 * The product's program with one module changed: instead of asking the server, `useDiscovery` shows the songs that
 * the test gives it. Gives what makes a page run this program in place of the product's.
 */
export async function buildStage(): Promise<(page: Page) => Promise<void>> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    root: web,
    plugins: [react(), otherDiscovery],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rolldownOptions: { input: `${web}main.tsx`, output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput
  const program = built.output[0].code
  return async (page) => {
    await page.route('**/assets/index-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: program }),
    )
  }
}

const otherDiscovery: Plugin = {
  name: 'other-discovery',
  enforce: 'pre',
  resolveId(id, importer = '') {
    if (!importer.startsWith(web)) return null
    if (id === './useDiscovery.ts') return fileURLToPath(new URL('useDiscovery.tsx', import.meta.url))
    // The page has the product's style already.
    return id.endsWith('.css') ? `\0${id}` : null
  },
  load: (id) => (id.startsWith('\0') && id.endsWith('.css') ? { code: '', moduleType: 'js' } : null),
}
