import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { withLock } from './lock.mjs'
import { withProgress } from './progress.mjs'
import { root } from './root.mjs'
import { runNpm } from './runStep.mjs'

/** Installs the packages of package-lock.json, development packages included, unless they are installed. */
export async function ensureInstalled() {
  if (await isInstalled()) return
  await withLock('installing', async () => {
    if (await isInstalled()) return
    // Ignores NODE_ENV: building the web needs development packages.
    await withProgress('Installing packages', () =>
      runNpm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']),
    )
  })
}

/**
 * npm writes node_modules/.package-lock.json last, so it reflects what is installed, also after a manual or
 * interrupted install.
 */
async function isInstalled() {
  const [wanted, present] = await Promise.all([
    readPackages(path.join(root, 'package-lock.json')),
    readPackages(path.join(root, 'node_modules', '.package-lock.json')),
  ])
  if (!wanted) throw new Error(`${root} has no readable package-lock.json.`)
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
