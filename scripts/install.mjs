import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { withLock } from './lock.mjs'
import { withProgress } from './progress.mjs'
import { root } from './root.mjs'
import { runNpm } from './runStep.mjs'

/** Installs the packages of package-lock.json, development ones too, unless they are there. */
export async function ensureInstalled() {
  if (await isInstalled()) return
  await withLock('installing', async () => {
    if (await isInstalled()) return
    // Whatever NODE_ENV says: the web is built with development packages.
    await withProgress('Installing packages', () =>
      runNpm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']),
    )
  })
}

/**
 * npm writes node_modules/.package-lock.json last of all, so it tells what is really there, also after an
 * install by hand or one that was cut short.
 */
async function isInstalled() {
  const [wanted, present] = await Promise.all([
    readPackages(path.join(root, 'package-lock.json')),
    readPackages(path.join(root, 'node_modules', '.package-lock.json')),
  ])
  if (!wanted) throw new Error(`${root} has no readable package-lock.json.`)
  if (!present) return false
  // Optional ones are for other platforms, as a rule.
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
