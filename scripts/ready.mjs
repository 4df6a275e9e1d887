import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './steps.mjs'

/**
 * Makes the product ready to run: installs what is missing and builds what changed. A release archive has everything.
 * Exits with a message when that fails.
 */
export async function ensureReady() {
  checkNode()
  try {
    const release = await readRelease()
    if (release) return requirePlatform(release)
    const { ensureInstalled } = await import('./install.mjs')
    const { ensureBuilt } = await import('./build.mjs')
    await ensureInstalled()
    await ensureBuilt()
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

/** What `npm run release` wrote; null in a working copy. */
async function readRelease() {
  const text = await readFile(path.join(root, 'release.json'), 'utf8').catch(() => null)
  return text === null ? null : JSON.parse(text)
}

/** Its native packages are for these only. */
function requirePlatform({ platforms }) {
  const platform = `${process.platform}-${process.arch}`
  const libc = process.report.getReport().header.glibcVersionRuntime
  if (platforms.includes(platform) && (process.platform !== 'linux' || libc)) return
  throw new Error(
    `This archive is for ${platforms.join(' and ')} with glibc; this is ${platform}${libc ? '' : ' without glibc'}. Run "npm start" in a clone of the sources instead.`,
  )
}

/** Exits with a clear message on a Node that the dependencies do not support. Runs on any Node with ES modules. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return
  console.error(
    `Banger or Bust needs Node 20.19, 22.12, or 24 and newer; this is ${process.versions.node}. See https://nodejs.org.`,
  )
  process.exit(1)
}
