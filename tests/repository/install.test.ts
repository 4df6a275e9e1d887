import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { packagePath } from '../../server/packagePath.ts'

interface Needs {
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const { fitsSystem, requireBuildable } = (await import(
  pathToFileURL(packagePath('scripts/install.mjs')).href
)) as {
  requireBuildable(folder: string): void
  fitsSystem(needs: Needs, system?: { platform: string; arch: string }): boolean
}
const LAPTOP = { platform: 'darwin', arch: 'arm64' }

test('what is installed here fits this system', () => {
  const { packages } = JSON.parse(readFileSync(packagePath('node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, Needs>
  }

  expect(Object.entries(packages).filter(([, needs]) => !fitsSystem(needs))).toEqual([])
})

test.each<[Needs, boolean]>([
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
  const found = ['glibc', 'musl'].filter((libc) => fitsSystem({ os: ['linux'], libc: [libc] }, linux))

  expect(found).toHaveLength(1)
})
