import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { toFigure } from '../../bench/measure/report.ts'
import { packagePath } from '../../server/packagePath.ts'

interface PackageNeeds {
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const { fitsSystem, requireBuildable } = (await import(
  pathToFileURL(packagePath('scripts/install.mjs')).href
)) as {
  requireBuildable(folder: string): void
  fitsSystem(needs: PackageNeeds, system?: { platform: string; arch: string }): boolean
}
const LAPTOP = { platform: 'darwin', arch: 'arm64' }

test('what is installed here fits this system', () => {
  const { packages } = JSON.parse(readFileSync(packagePath('node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, PackageNeeds>
  }

  expect(Object.entries(packages).filter(([, needs]) => !fitsSystem(needs))).toEqual([])
})

test.each<[PackageNeeds, boolean]>([
  [{}, true],
  [{ os: ['darwin'], cpu: ['arm64'] }, true],
  [{ os: ['!win32'] }, true],
  [{ os: ['linux'], cpu: ['arm64'], libc: ['glibc'] }, false],
  [{ os: ['darwin'], cpu: ['x64'] }, false],
  [{ os: ['!darwin'] }, false],
  [{ os: ['darwin', 'linux'], cpu: ['!arm64'] }, false],
])('packages of another system are installed anew: on a Mac %j fits: %s', (needs, fits) => {
  expect(fitsSystem(needs, LAPTOP)).toBe(fits)
})

test.each(['/home/ada/C#/banger', '/srv/why?/banger'])('a clone in %s is refused at once', (folder) => {
  expect(() => requireBuildable(folder)).toThrow(`The project's folder is ${folder}. It cannot be built`)
})

test.each(['/home/ada/100% & more/banger', '/srv/a b/[x]'])('a clone in %s is built', (folder) => {
  expect(() => requireBuildable(folder)).not.toThrow()
})

test('glibc and musl are two systems', () => {
  const linux = { platform: 'linux', arch: process.arch }
  const supportedLibcs = ['glibc', 'musl'].filter((libc) =>
    fitsSystem({ os: ['linux'], libc: [libc] }, linux),
  )

  expect(supportedLibcs).toHaveLength(1)
})

/*
 * SSRF: only integrations call outside services, at addresses that the operator configures (diagnostics-21). The only
 * others are those of pictures at sign-in providers; pictures.test.ts checks what is done about them (uploads-13).
 * Hosts of covers may redirect to a few known ones (playback-64). anyRequest.test.ts checks that the server never
 * requests an address from a listener.
 */

const SERVER_FOLDER = packagePath('server')
const sources = readdirSync(SERVER_FOLDER, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
const text = (path: string) =>
  readFileSync(join(SERVER_FOLDER, path), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '')
const sourcesMatching = (pattern: RegExp) => sources.filter((path) => pattern.test(text(path)))

test('the checks find files', () => {
  expect(sources).toContain('app.ts')
  expect(sourcesMatching(/\bfetch\(/).length).toBeGreaterThan(0)
})

test('only integrations call outside services, and redirects are followed only to covers and whole recordings', () => {
  const calls = sourcesMatching(
    /\bfetch\(|\bhttps?\.(get|request)\(|from 'undici'|import https from|\bnew WebSocket\(/,
  )

  expect(calls.filter((path) => !path.startsWith('integrations/'))).toEqual([])
  for (const path of calls) {
    expect([path, text(path).match(/\bfetch\(/g)?.length]).toEqual([
      path,
      text(path).match(/redirect: '(error|manual)'/g)?.length,
    ])
  }
  // These follow checked redirects; covers.test.ts and growFromArchive.test.ts check the hosts.
  expect(sourcesMatching(/redirect: 'manual'/)).toEqual(['integrations/service.ts'])
  expect(sourcesMatching(/\bfollow: \(/)).toEqual(['integrations/archive.ts', 'integrations/covers.ts'])
})

test('only the database uses raw sockets', () => {
  const connecting = sourcesMatching(/import \{[^}]*\bconnect\b[^}]*\} from 'node:(net|tls)'/)

  expect(connecting.filter((path) => !path.startsWith('db/'))).toEqual([])
})

test('every bench states its goals in one way, has a short form, and ends with its verdict', () => {
  const names = readdirSync(packagePath('bench')).filter((file) => file.endsWith('.ts'))
  const lacking = (pattern: RegExp) =>
    names.filter((name) => !pattern.test(readFileSync(packagePath(`bench/${name}`), 'utf8')))

  expect(names.length).toBeGreaterThan(8)
  expect(lacking(/\bjudge\w*\(/)).toEqual([])
  expect(lacking(/setting\('\w+', [^,]+, [^,]+\)/)).toEqual([])
  expect(lacking(/^finish\(\)$/m)).toEqual([])
})

test.each([
  [5, { most: 5 }, true],
  [5.1, { most: 5 }, false],
  [5, { least: 5 }, true],
  [4.9, { least: 5 }, false],
  [Number.NaN, { most: 5 }, false],
  [[], { most: 5 }, false],
])('%s with the goal %o: %s', (measured, goal, isMet) => {
  expect(toFigure(measured, goal).isMet).toBe(isMet)
})

test('of several rounds the median counts, before it is rounded, and the range is shown', () => {
  expect(toFigure([9, 1, 2], { most: 2 })).toEqual({
    figure: 2,
    goal: 'at most 2',
    isMet: true,
    least: 1,
    most: 9,
  })
  expect(toFigure(50.04, { most: 50 })).toEqual({ figure: 50, goal: 'at most 50', isMet: false })
})
