import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig(({ command }) => ({
  root: here('.'),
  // In development sources have addresses too, and those of web/api/ would be calls of the server.
  base: command === 'serve' ? '/@source/' : '/',
  plugins: [react(), tailwindcss(), preloadFonts(), preloadSharedPages()],
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: chunkOf }] } } },
  },
  // The contract and the fonts lie beside web/, not in it.
  server: { fs: { allow: [here('..')] } },
}))

interface Modules {
  getModuleInfo: Rolldown.GetModuleInfo
}

const mainScreen = here('app/ListenerPages.tsx')
const firstPages = [mainScreen, here('landing/LandingPage.tsx'), here('auth/AuthPage.tsx')]
const sharedPages = [here('sharing/SharedCollectionPage.tsx'), here('sharing/SharedAchievementPage.tsx')]

/**
 * Each file costs about a KiB of headers, so what a first page always needs comes in few: what the program starts
 * with or several first pages share, the two shared pages, what these have in common with the main screen, and the
 * rest of the main screen: who follows a shared link carries no player. Everything else follows the dynamic imports.
 */
function chunkOf(id: string, modules: Modules): string | null {
  const importers = importersOf(id, modules)
  const pages = firstPages.filter((page) => importers.has(page))
  if (importers.has(here('main.tsx')) || pages.length > 1) return 'basics'
  const isShared = sharedPages.some((page) => importers.has(page))
  if (pages[0] === mainScreen) return isShared ? 'main-and-shared' : 'main-screen'
  return isShared && pages.length === 0 ? 'shared-pages' : null
}

/** The module and all that import it, near or far, without the steps that wait for a dynamic import. */
function importersOf(id: string, modules: Modules, found = new Set<string>()) {
  if (found.has(id)) return found
  found.add(id)
  for (const importer of modules.getModuleInfo(id)?.importers ?? []) importersOf(importer, modules, found)
  return found
}

/** The two faces of every first page, asked for beside the style instead of after it: text never waits or jumps. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const faces = Object.keys(bundle ?? {}).filter((file) => FIRST_FACES.test(file))
        return faces.map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
          injectTo: 'head',
        }))
      },
    },
  }
}

/** Asked for beside the program instead of after it. The server leaves these links out of pages not below `data-below`. */
function preloadSharedPages(): Plugin {
  return {
    name: 'preload-shared-pages',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const chunks = Object.keys(bundle ?? {}).filter((file) => SHARED_CHUNKS.test(file))
        return chunks.map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', href: `/${file}`, crossorigin: true, 'data-below': '/share/' },
          injectTo: 'head',
        }))
      },
    },
  }
}

const SHARED_CHUNKS = /(shared-pages|main-and-shared)-[^/]*\.js$/
const FIRST_FACES = /(anybody|instrument-sans)-latin-(standard|wght)-normal.*\.woff2$/
