import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { getCurrentUser } from '../contract/auth.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig(({ command }) => ({
  root: here('.'),
  // In development sources have addresses too, and those of web/api/ would be calls of the server.
  base: command === 'serve' ? '/@source/' : '/',
  plugins: [react(), tailwindcss(), preloadFonts(), preloadPages()],
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
  const iconUsers = usersOfIcon(id, modules)
  const importers = iconUsers ?? importersOf(id, modules)
  const pages = firstPages.filter((page) => importers.has(page))
  if (importers.has(here('main.tsx')) || pages.length > 1) return 'basics'
  const isShared = sharedPages.some((page) => importers.has(page))
  if (pages[0] === mainScreen) return isShared ? 'main-and-shared' : 'main-screen'
  if (isShared && pages.length === 0) return 'shared-pages'
  // Those of everything that comes later are one file, not fifty.
  return iconUsers && pages.length === 0 ? 'later-icons' : null
}

/**
 * All icons come through one module that exports them, so by that alone each would belong to every page. The modules
 * that say an icon's name are those that use it; null where that cannot be told.
 */
function usersOfIcon(id: string, modules: Modules): Set<string> | null {
  const file = /\/lucide-react\/dist\/esm\/icons\/([a-z0-9-]+)\.\w+$/.exec(id)?.[1]
  if (!file) return null
  const name = file.replace(/(^|-)(.)/g, (_, __, letter: string) => letter.toUpperCase())
  const near = [...importersOf(id, modules)].filter((user) => !user.includes('/node_modules/'))
  const users = near.filter((user) =>
    new RegExp(`\\b${name}\\b`).test(modules.getModuleInfo(user)?.code ?? ''),
  )
  if (users.length === 0) return null
  const all = new Set<string>()
  for (const user of users) importersOf(user, modules, all)
  return all
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

/**
 * What a page needs besides the program, asked for at the same time instead of after it. The server leaves those
 * links out whose `data-path` does not match, and those whose `data-session` is not the visitor's state.
 */
function preloadPages(): Plugin {
  return {
    name: 'preload-pages',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const first = staticImports(
          bundle,
          Object.keys(bundle).filter((file) => isEntry(bundle[file])),
        )
        return PRELOADS.flatMap(({ page, call, path, session }) => {
          const state = { 'data-path': path, ...(session && { 'data-session': session }) }
          const pages = Object.keys(bundle).filter((file) => page && holds(bundle[file], page))
          const files = [...staticImports(bundle, pages)].filter((file) => !first.has(file))
          return [
            ...files.map((file) => ({ rel: 'modulepreload', href: `/${file}`, crossorigin: true, ...state })),
            // As the page itself will ask, or the browser asks twice.
            ...(call
              ? [{ rel: 'preload', as: 'fetch', href: call, crossorigin: 'use-credentials', ...state }]
              : []),
          ].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }))
        })
      },
    },
  }
}

const isEntry = (file?: BundleFile) => file?.type === 'chunk' && file.isEntry
const holds = (file: BundleFile | undefined, module: string) =>
  file?.type === 'chunk' && file.moduleIds.includes(module)

type BundleFile = Rolldown.OutputChunk | Rolldown.OutputAsset

/** These chunks and all that they import, near or far. */
function staticImports(bundle: Record<string, BundleFile>, files: string[], found = new Set<string>()) {
  for (const name of files) {
    const file = bundle[name]
    if (found.has(name) || file?.type !== 'chunk') continue
    found.add(name)
    staticImports(bundle, file.imports, found)
  }
  return found
}

interface Preload {
  /** The module of a page, for its chunk and those that this imports. */
  page?: string
  /** Path and query of a GET. */
  call?: string
  /** A regular expression for the paths of the page. */
  path: string
  session?: 'yes' | 'no'
}

const PRELOADS: Preload[] = [
  { page: here('sharing/SharedCollectionPage.tsx'), path: '^/share/' },
  { page: here('landing/LandingPage.tsx'), path: '^/$', session: 'no' },
  { page: mainScreen, path: '^/$', session: 'yes' },
  { page: here('profiles/ProfilePage.tsx'), path: '^/profile/?$', session: 'yes' },
  { call: getCurrentUser.path, path: '^/(profile/?)?$', session: 'yes' },
]

const FIRST_FACES = /(anybody|instrument-sans)-latin-(standard|wght)-normal.*\.woff2$/
