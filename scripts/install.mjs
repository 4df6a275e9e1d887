import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { withLock } from './lock.mjs'
import { withProgress } from './progress.mjs'
import { root } from './root.mjs'
import { runNpm } from './runStep.mjs'

/**
 * Installs the packages of package-lock.json, development packages included, unless they are installed.
 * @param {string} [inside] a folder of the project with packages of its own
 */
export async function ensureInstalled(inside = '') {
  const folder = path.join(root, inside)
  if (await isInstalled(folder)) return
  await withLock('installing', async () => {
    if (await isInstalled(folder)) return
    // Ignores NODE_ENV: building the web needs development packages.
    const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
    await withProgress(inside ? `Installing packages of ${inside}` : 'Installing packages', () =>
      runNpm(args, { folder }),
    )
  })
}

/**
 * npm writes node_modules/.package-lock.json last, so it reflects what is installed, also after a manual or
 * interrupted install.
 */
async function isInstalled(folder) {
  const [wanted, present] = await Promise.all([
    readPackages(path.join(folder, 'package-lock.json')),
    readPackages(path.join(folder, 'node_modules', '.package-lock.json')),
  ])
  if (!wanted) throw new Error(`${folder} has no readable package-lock.json.`)
  if (!present) return false
  // Missing optional packages are usually for other platforms.
  const complete = Object.entries(wanted).every(([place, entry]) =>
    place === '' || (entry.optional && !present[place]) ? true : isSame(entry, present[place]),
  )
  return complete && Object.keys(present).every((place) => place in wanted)
}

function isSame(wanted, present) {
  return present !== undefined && wanted.version === present.version && wanted.integrity === present.integrity
}

async function readPackages(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
