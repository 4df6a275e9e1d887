import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { root, runNpm, withLock, withProgress } from './steps.mjs'

/**
 * Installs the packages of package-lock.json, development packages included, unless they are installed.
 * @param {{ inside?: string, workspaces?: boolean }} [options] `inside` is a folder of the project with a lockfile of
 *   its own; `workspaces` adds what the tests and the benches need.
 */
export async function ensureInstalled({ inside = '', workspaces = false } = {}) {
  requireBuildable(root)
  const folder = path.join(root, inside)
  if (await isInstalled(folder, workspaces)) return
  await withLock('installing', async () => {
    if (await isInstalled(folder, workspaces)) return
    // A server that runs keeps its packages while those of the workspaces are added.
    const command = workspaces && (await isInstalled(folder)) ? ['install', '--no-save'] : ['ci']
    const args = [
      ...command,
      `--workspaces=${workspaces}`,
      ...(workspaces ? ['--include-workspace-root'] : []),
      // Vite names tools of the tests as optional peers, which a start would install, too.
      ...(workspaces || inside ? [] : ['--legacy-peer-deps']),
    ]
    // Ignores NODE_ENV: building the web needs development packages.
    const kinds = ['--include=dev', '--include=optional']
    await withProgress(inside ? `Installing packages of ${inside}` : 'Installing packages', () =>
      runNpm([...args, ...kinds, '--no-audit', '--no-fund', '--loglevel=error'], { folder }),
    )
  })
}

/** Vite takes what follows these characters for the fragment or the query of an address. */
export function requireBuildable(folder) {
  if (!/[#?]/.test(folder)) return
  throw new Error(
    `The project's folder is ${folder}. It cannot be built in a folder with # or ? in its name: move or rename it. A release archive runs there.`,
  )
}

/**
 * npm writes node_modules/.package-lock.json last, so it reflects what is installed, also after a manual or
 * interrupted install.
 */
async function isInstalled(folder, workspaces = false) {
  const [locked, present] = await Promise.all([
    readPackages(path.join(folder, 'package-lock.json')),
    readPackages(path.join(folder, 'node_modules', '.package-lock.json')),
  ])
  if (!locked) throw new Error(`${folder} has no readable package-lock.json.`)
  if (!present) return false
  const wanted = workspaces ? Object.keys(locked).filter((place) => place !== '') : placesOfRoot(locked)
  // Missing optional packages are usually for other platforms.
  const isMissing = (place) => !present[place] && !locked[place].optional
  return (
    !wanted.some(isMissing) &&
    Object.keys(present).every((place) => isSame(locked[place], present[place]) && fitsSystem(present[place]))
  )
}

/**
 * Whether npm would install a package here. A folder that was copied from another system, or that two systems share, has
 * packages that do not.
 * @param {{ os?: string[], cpu?: string[], libc?: string[] }} needs
 */
export function fitsSystem({ os, cpu, libc }, { platform, arch } = process) {
  return fits(os, platform) && fits(cpu, arch) && (!libc || platform !== 'linux' || fits(libc, libcHere()))
}

/** @type {string | undefined} */
let cachedLibc

/** A report takes a while. */
function libcHere() {
  cachedLibc ??= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
  return cachedLibc
}

/** As npm reads these lists: names, or names that are excluded. */
function fits(list, value) {
  if (!list) return true
  return !list.includes(`!${value}`) && (list.includes(value) || list.some((name) => name.startsWith('!')))
}

/** What the root needs, directly or not: the lockfile does not tell the packages of the workspaces apart. */
function placesOfRoot(locked) {
  const found = new Set()
  const follow = (place, names) => {
    for (const name of names) {
      const needed = placesAbove(place, name).find((candidate) => candidate in locked)
      if (!needed || found.has(needed)) continue
      found.add(needed)
      follow(needed, Object.keys({ ...locked[needed].dependencies, ...locked[needed].optionalDependencies }))
    }
  }
  const { dependencies, devDependencies, optionalDependencies } = locked['']
  follow('', Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }))
  return [...found]
}

/** Where Node looks for a package that the one at `place` needs. */
function placesAbove(place, name) {
  const folders = place === '' ? [] : place.split('/node_modules/')
  const inside = folders.map((_, depth) => folders.slice(0, folders.length - depth).join('/node_modules/'))
  return [...inside, ''].map((folder) => path.posix.join(folder, 'node_modules', name))
}

function isSame(wanted, present) {
  return wanted !== undefined && wanted.version === present.version && wanted.integrity === present.integrity
}

async function readPackages(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
