import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown, runnerImport } from 'vite'

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: fromHere('.'),
  // The path of PUBLIC_URL is not known yet: files name one another relatively, and the server completes the page's
  // addresses (server/http/servePages.ts). In development the server sets another base.
  base: './',
  plugins: [
    react(),
    tailwindcss(),
    stripServerFields(),
    startFirstCalls(),
    preloadFonts(),
    preloadPages(),
    renderFrames(),
  ],
  build: {
    outDir: fromHere('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: firstChunkOf, priority: 1 }, { name: chunkOf }] },
      },
    },
  },
  // The contract and the fonts are outside web/.
  server: { fs: { allow: [fromHere('..')] } },
})

interface Modules {
  getModuleInfo: Rolldown.GetModuleInfo
}

const firstCalls = fromHere('app/firstCalls.ts')
const mainScreen = fromHere('app/ListenerPages.tsx')
const firstPages = [mainScreen, fromHere('landing/LandingPage.tsx'), fromHere('auth/AuthPage.tsx')]
const sharedPages = fromHere('sharing/SharedPages.tsx')

/** What only later pages use, although modules of every page name it. */
const lazyModules =
  /\/(useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\.js$|\/zod\/|\/contract\/texts\.ts$/

/** What the entry, which has only a client, does not use of it. */
const queryHooks =
  /@tanstack\/.*\/(use\w+|\w*[oO]bserver|suspense|errorBoundaryUtils|IsRestoringProvider|QueryErrorResetBoundary|QueryClientProvider)\.js$/

/** What the first calls need: it loads before all else. */
function firstChunkOf(id: string, modules: Modules): string | null {
  return importersOf(id, modules).has(firstCalls) ? 'first-calls' : null
}

/**
 * Each file costs a request and its headers, so the first pages load few chunks: the entry with what the main screen
 * shares with others, what the signed-out pages share, the two shared pages, what these share with the main screen,
 * and the rest of the main screen. A shared link loads no player. Everything else follows the dynamic imports.
 */
function chunkOf(id: string, modules: Modules): string | null {
  if (lazyModules.test(id)) return null
  if (queryHooks.test(id)) return 'main-and-shared'
  const importers = importersOf(id, modules)
  const pages = firstPages.filter((page) => importers.has(page))
  if (importers.has(fromHere('main.tsx'))) return 'basics'
  if (pages.length > 1) return pages.includes(mainScreen) ? 'basics' : 'signed-out'
  const isShared = importers.has(sharedPages)
  if (pages[0] === mainScreen) return isShared ? 'main-and-shared' : 'main-screen'
  return isShared && pages.length === 0 ? 'shared-pages' : null
}

/** The module and all its importers, without dynamic imports. */
function importersOf(id: string, modules: Modules, visited = new Set<string>()) {
  if (visited.has(id)) return visited
  visited.add(id)
  for (const importer of modules.getModuleInfo(id)?.importers ?? []) importersOf(importer, modules, visited)
  return visited
}

/**
 * Removes what only the server and the API document read of endpoints, and then the shapes that nothing names any more:
 * several kilobytes of the first load. Biome's format says where a property ends: before the next line as far left.
 */
function stripServerFields(): Plugin {
  const endpoint = /\bendpoint\('.*', \{\n(?:.*\n)*?\}\)/g
  const serverFields =
    /^ {2}(?:access|owns|scope|isStable|summary|params|query|body|accepts|maxBody|response|answers|ranges|fails):.*\n(?: {4}.*\n| {2}[)}\]].*\n)*/gm
  return {
    name: 'without-servers-part',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/\w+\.ts$/ },
      handler(code) {
        const stripped = code.replace(endpoint, (text) => text.replace(serverFields, ''))
        return markPure(stripped, this.parse(stripped, { lang: 'ts' }))
      },
    },
  }
}

/** Lets the build drop each constant of a module that nothing uses: none of their initialisers has an effect. */
function markPure(code: string, { body }: ReturnType<Rolldown.PluginContext['parse']>): string {
  let marked = code
  for (const statement of [...body].reverse()) {
    const { declaration } =
      statement.type === 'ExportNamedDeclaration' ? statement : { declaration: statement }
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { init } of [...declaration.declarations].reverse())
      if (init?.type === 'CallExpression')
        marked = `${marked.slice(0, init.start)}/* @__PURE__ */ (() => ${marked.slice(init.start, init.end)})()${marked.slice(init.end)}`
  }
  return marked
}

/** Runs the first calls as soon as they are there: before the entry, which imports them, and without the style. */
function startFirstCalls(): Plugin {
  return {
    name: 'start-first-calls',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) => containsModule(bundle[name], firstCalls))
        const tag = `<script type="module" async crossorigin fetchpriority="high" src="./${file}"></script>`
        return file ? html.replace('<title>', `${tag}\n    $&`) : html
      },
    },
  }
}

/** Writes the page's loading screen, and for the server frames.json (web/app/frames.tsx). */
function renderFrames(): Plugin {
  let frames: Promise<Record<string, string>> | undefined
  const render = () => {
    frames ??= runnerImport<{ frames: Record<string, string> }>(fromHere('app/frames.tsx'), {
      configFile: false,
      logLevel: 'error',
    }).then(({ module }) => module.frames)
    return frames
  }
  return {
    name: 'render-frames',
    transformIndexHtml: async (html) =>
      html.replace('<div id="root"></div>', `<div id="root">${(await render()).loading}</div>`),
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'frames.json', source: JSON.stringify(await render()) })
    },
  }
}

/** Preloads the fonts of the first pages beside the style, so that text neither waits nor shifts. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const files = Object.keys(bundle ?? {})
        // First the font of what is seen first.
        return PRELOADED_FONTS.flatMap(({ face, state }) =>
          files
            .filter((file) => face.test(file))
            .map((file) => ({
              tag: 'link',
              attrs: {
                rel: 'preload',
                href: `./${file}`,
                as: 'font',
                type: 'font/woff2',
                crossorigin: true,
                ...state,
              },
              injectTo: 'head' as const,
            })),
        )
      },
    },
  }
}

/**
 * Preloads the code of a page in parallel with the entry. The server removes links whose `data-path` or
 * `data-session` does not match the request.
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
        return PRELOADS.flatMap(({ page, path, session }) => {
          const state = { 'data-path': path, ...(session && { 'data-session': session }) }
          const pages = Object.keys(bundle).filter((file) => containsModule(bundle[file], page))
          const files = [...staticImports(bundle, pages)].filter((file) => !first.has(file))
          return files.map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', href: `./${file}`, crossorigin: true, ...state },
            injectTo: 'head' as const,
          }))
        })
      },
    },
  }
}

const isEntry = (file?: BundleFile) => file?.type === 'chunk' && file.isEntry
const containsModule = (file: BundleFile | undefined, module: string) =>
  file?.type === 'chunk' && file.moduleIds.includes(module)

type BundleFile = Rolldown.OutputChunk | Rolldown.OutputAsset

/** These chunks and all that they import. */
function staticImports(bundle: Record<string, BundleFile>, files: string[], visited = new Set<string>()) {
  for (const name of files) {
    const file = bundle[name]
    if (visited.has(name) || file?.type !== 'chunk') continue
    visited.add(name)
    staticImports(bundle, file.imports, visited)
  }
  return visited
}

interface Preload {
  /** The module of a page, for its chunk and those it imports. */
  page: string
  /** A regular expression for the page's paths. */
  path: string
  session?: 'yes' | 'no'
}

const PRELOADS: Preload[] = [
  { page: sharedPages, path: '^/share/' },
  { page: fromHere('sharing/MicrogenrePage.tsx'), path: '^/microgenres/.' },
  { page: fromHere('landing/LandingPage.tsx'), path: '^/$', session: 'no' },
  { page: mainScreen, path: '^/$', session: 'yes' },
  { page: fromHere('profiles/ProfilePage.tsx'), path: '^/profile/?$', session: 'yes' },
  { page: fromHere('discovery/map/MapPage.tsx'), path: '^/microgenres/?$', session: 'yes' },
]

const PRELOADED_FONTS = [
  { face: /\/keys-.*\.woff2$/, state: { 'data-path': '^/$', 'data-session': 'yes' } },
  { face: /(anybody|instrument-sans)-latin-(standard|wght)-normal.*\.woff2$/, state: {} },
]
