import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { UploadRules } from '../../../web/uploads/uploadRules.ts'

const BASE = '/upload-page/'
const ADDRESSES = `**${BASE}**`

/** The built page of this folder; call `remove` when it is not needed any more. */
export interface UploadPage {
  /** Opens the dialog with these rules on the product's address, with its styles and its security policy. */
  open(page: Page, rules?: UploadRules, id?: string): Promise<void>
  /**
   * Call when the page has loaded: while a route is set, Chromium passes every request through with its body, and a
   * part of 5 MB takes seconds.
   */
  stopServing(page: Page): Promise<void>
  /** Call before a reload of `page`. */
  serve(page: Page): Promise<void>
  remove(): Promise<void>
}

export async function buildUploadPage(): Promise<UploadPage> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-upload-page-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    base: BASE,
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: true, minify: false, target: 'es2022' },
  })
  async function serve(page: Page): Promise<void> {
    const product = await page.request.get('/privacy')
    const style = /<link rel="stylesheet"[^>]*>/.exec(await product.text())?.[0] ?? ''
    const policy = product.headers()['content-security-policy'] ?? ''
    await page.route(ADDRESSES, async (route) => {
      const asked = new URL(route.request().url()).pathname.slice(BASE.length) || 'index.html'
      const body = await readFile(path.join(folder, asked))
      const isPage = asked === 'index.html'
      await route.fulfill({
        body: isPage ? String(body).replace('</head>', `${style}</head>`) : body,
        contentType: types[path.extname(asked)] ?? 'application/octet-stream',
        headers: isPage ? { 'content-security-policy': policy } : {},
      })
    })
  }

  return {
    serve,
    stopServing: (page) => page.unroute(ADDRESSES),
    async open(page, rules = {}, id = 'files') {
      await serve(page)
      await page.goto(`${BASE}?${new URLSearchParams({ rules: JSON.stringify(rules), id })}`)
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
