import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, matchesGlob, relative } from 'node:path'
import { expect, test } from 'vitest'
import { readFunctions } from '../../server/db/functions.ts'
import { packagePath } from '../../server/packagePath.ts'

const ROOT = packagePath('')
const IGNORED_FOLDERS = new Set([
  'node_modules',
  'dist',
  'data',
  '.git',
  'test-results',
  'playwright-report',
  'coverage',
])
const sources = filesBelow(ROOT).filter((path) => ['.ts', '.tsx', '.mjs'].includes(extname(path)))
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the checks find files', () => {
  expect(sources.length).toBeGreaterThan(50)
  expect(sources).toContain('server/app.ts')
})

test('no test is put off, and type checking is never turned off', () => {
  // Biome finds the other ways.
  const pattern = /\btest(\.\w+)*\.(todo|fixme)\b|@ts-(nocheck|expect-error)/

  expect(sources.filter((path) => path !== thisFile && pattern.test(text(path)))).toEqual([])
})

test('no grab-bag folders or files, and no barrels', () => {
  expect(sources.filter((path) => /(^|\/)(utils?|helpers?|misc|common)(\/|\.)/i.test(path))).toEqual([])
  expect(sources.filter((path) => /\/index\.tsx?$/.test(path))).toEqual([])
})

test('only the contract contains the paths of calls', () => {
  // The first calls repeat them without the contract's code; the compiler compares each with the contract.
  const code = sources.filter(
    (path) => /^(web|server)\//.test(path) && !/\.test\.tsx?$/.test(path) && path !== 'web/app/firstCalls.ts',
  )
  const retyped = code.flatMap((path) =>
    [...withoutComments(text(path)).matchAll(/(['"`])\/(api|companion)\/\w[^'"`]*\1?/g)].map(
      ([found]) => `${path}: ${found}`,
    ),
  )

  expect(retyped).toEqual([])
})

test('only web/api uses the useMutation of TanStack, which accepts a second press', () => {
  expect(usersOf(/useMutation\b[^\n]* from '@tanstack\/react-query'/)).toEqual(['web/api/useMutation.ts'])
})

test('one component has the text fields, and one function loads code on demand', () => {
  expect(usersOf(/<textarea\b/)).toEqual(['web/ui/controls/Field.tsx'])
  expect(usersOf(/<input\b(?![^>]*type="(range|checkbox|radio)")/)).toEqual([
    'web/ui/controls/Field.tsx',
    'web/ui/controls/SearchField.tsx',
  ])
  expect(usersOf(/\blazy\(/)).toEqual(['web/ui/page/lazyComponent.tsx'])
})

test('app/style.css has the utilities of every component that the first pages import', () => {
  const [, ...patterns] = text('web/app/style.css').split('@source ')
  const globs = patterns.map((line) => join('web/app', line.slice(1, line.indexOf('";'))))
  const pages = [...text('web/app/pages.ts').matchAll(/lazyFirstPage\([^']*'([^']+)'/g)].map(
    ([, page = '']) => page,
  )
  const components = importedComponents(['web/main.tsx', ...pages.map((page) => join('web/app', page))])

  expect(components.length).toBeGreaterThan(20)
  expect(
    components.filter(
      (file) => !globs.some((glob) => matchesGlob(file, glob) || file.startsWith(`${glob}/`)),
    ),
  ).toEqual([])
})

test('no component searches the document for an open dialog', () => {
  expect(usersOf(/(querySelector|closest)\w*(<\w+>)?\([^)]*dialog/)).toEqual([])
})

test('.env.example lists exactly what server/settings.ts reads', () => {
  const settings = /const Settings = z\.object\(\{(.*?)\n\}\)/s.exec(text('server/settings.ts'))?.[1] ?? ''
  const read = [...settings.matchAll(/^ {2}([A-Z][A-Z0-9_]*):/gm)].map(([, key]) => key)
  const documentedKeys = [...text('.env.example').matchAll(/^#?\s?([A-Z][A-Z0-9_]*)=/gm)].map(
    ([, key]) => key,
  )

  expect(read.length).toBeGreaterThan(15)
  expect([...documentedKeys].sort()).toEqual([...read].sort())
  expect(new Set(documentedKeys).size).toBe(documentedKeys.length)
})

test('only programs read the environment', () => {
  const readers = sources.filter(
    (path) =>
      /^(server|contract|catalogue|web)\//.test(path) && /process\.env/.test(withoutComments(text(path))),
  )

  expect(readers.filter((path) => !ENVIRONMENT_READERS.has(path) && !/\.test\.tsx?$/.test(path))).toEqual([])
})

test('every optional package for macOS, Linux and Windows is in the lockfile', () => {
  const { packages } = readLock('package-lock.json')
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => /(darwin|linux|win32|windows)-(arm64|x64)/.test(name))
      .filter((name) => !candidates(path, name).some((place) => packages[place]))
      .map((name) => `${path || 'package.json'} wants ${name}`),
  )

  expect(missing).toEqual([])
})

test.each(['package-lock.json', 'companion/package-lock.json'])(
  '%s has an integrity hash for every package, all from the public registry',
  (file) => {
    const { packages } = readLock(file)
    const locked = Object.entries(packages).filter(
      ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
    )
    const hosts = locked.flatMap(([, { resolved }]) => (resolved ? [new URL(resolved).host] : []))

    expect(locked.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
    expect(hosts.filter((host) => host !== 'registry.npmjs.org')).toEqual([])
  },
)

test('a production install has fewer than 250 packages', () => {
  const { packages } = readLock('package-lock.json')
  const isFor = (allowed: string[] | undefined, actual: string) => !allowed || allowed.includes(actual)
  const installed = Object.entries(packages).filter(
    ([path, { dev, link, os, cpu, libc }]) =>
      path.includes('node_modules/') &&
      !dev &&
      !link &&
      isFor(os, 'linux') &&
      isFor(cpu, 'x64') &&
      isFor(libc, 'glibc'),
  )

  expect(installed.length).toBeGreaterThan(100)
  expect(installed.length).toBeLessThan(250)
})

test('Companion, which few installations need, has its own lockfile', () => {
  const { packages } = readLock('package-lock.json')
  const own = readLock('companion/package-lock.json')

  for (const name of ['node_modules/@uppy/companion', 'node_modules/express']) {
    expect(Object.keys(packages)).not.toContain(name)
    expect(Object.keys(own.packages)).toContain(name)
  }
})

const readLock = (file: string) => JSON.parse(text(file)) as { packages: Record<string, LockedPackage> }

interface LockedPackage {
  optionalDependencies?: Record<string, string>
  resolved?: string
  integrity?: string
  link?: boolean
  inBundle?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

/** These modules' components and those that they import statically, at any depth. */
function importedComponents(modules: string[], found = new Set<string>()): string[] {
  for (const module of modules) {
    if (found.has(module)) continue
    found.add(module)
    const imports = [...text(module).matchAll(/^(?:import (?!type )|} from )[^';]*'(\.[^']+\.tsx?)'/gm)]
    importedComponents(
      imports.map(([, file = '']) => join(dirname(module), file)),
      found,
    )
  }
  return [...found].filter((file) => file.endsWith('.tsx') && text(file).includes('className'))
}

/** The modules of the web application whose code matches. */
function usersOf(pattern: RegExp): string[] {
  return sources.filter(
    (path) =>
      path.startsWith('web/') && !/\.test\.tsx?$/.test(path) && pattern.test(withoutComments(text(path))),
  )
}

/** Programs pass it to readEnv; PostgreSQL's programs inherit the rest of it. */
const ENVIRONMENT_READERS = new Set([
  'server/main.ts',
  'server/programs/share.ts',
  'server/programs/database.ts',
  'server/programs/catalogue.ts',
  'server/programs/backup.ts',
  'server/programs/restore.ts',
  'server/programs/signInLink.ts',
  'server/programs/account.ts',
  'server/programs/companion.ts',
  'server/programs/doctor.ts',
  'server/programs/feedback.ts',
  'server/programs/learn.ts',
  'server/db/embedded/runAs.ts',
])

const thisFile = 'tests/repository/conventions.test.ts'

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (IGNORED_FOLDERS.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [relative(ROOT, path).replaceAll('\\', '/')]
  })
}

/** Where npm may place a package that `path` needs: inside it, or in any node_modules further out. */
function candidates(path: string, name: string): string[] {
  const parts = path === '' ? [] : path.split('/node_modules/')
  return [
    ...parts.map((_, i) => `${parts.slice(0, i + 1).join('/node_modules/')}/node_modules/${name}`),
    `node_modules/${name}`,
  ]
}

const withoutComments = (code: string) => code.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '')

const functions = [...readFunctions()]

test.each(functions)(
  '%s.sql creates the function of this name, and calls others in its schema',
  (name, text) => {
    const code = text.replace(/--.*/g, '')
    const others = functions.map(([other]) => other).join('|')

    expect(code.match(/^CREATE\b.*$/gm)).toEqual([
      expect.stringMatching(new RegExp(`^CREATE FUNCTION functions\\.${name}\\(`)),
    ])
    expect(code.match(new RegExp(`(?<!functions\\.)\\b(${others})\\(`, 'g'))).toBeNull()
  },
)

test('migrations contain tables and their triggers only, and drizzle-kit has one snapshot, the newest', () => {
  const folder = packagePath('server/db/migrations')
  const migrations = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const snapshots = readdirSync(join(folder, 'meta')).filter((file) => file.endsWith('_snapshot.json'))

  const createsFunction = (file: string) =>
    /\bCREATE FUNCTION \w+\(.*\) RETURNS (?!trigger\b)/i.test(readFileSync(join(folder, file), 'utf8'))
  expect(migrations.filter(createsFunction)).toEqual([])
  expect(snapshots).toEqual([`${migrations.sort().at(-1)?.slice(0, 4)}_snapshot.json`])
})
