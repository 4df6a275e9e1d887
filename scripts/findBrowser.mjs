import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root } from './root.mjs'

const run = promisify(execFile)

/**
 * Finds a Chromium for the browser tests, in this order: CHROMIUM_PATH, an installed one, Playwright's cache, an
 * npm package, the system's packages, Playwright's download. Returns the first that starts.
 * @returns {Promise<string>} its path
 */
export async function findBrowser() {
  const tried = []
  for (const [name, find] of sources) {
    for (const candidate of await find().catch((error) => [note(tried, name, error)])) {
      if (!candidate) continue
      if (await starts(candidate)) return candidate
      note(tried, name, new Error(`${candidate} does not start`))
    }
  }
  throw new Error(
    `Chromium was not found and could not be installed. Install it, or set CHROMIUM_PATH.\n  ${tried.join('\n  ')}`,
  )
}

const sources = [
  ['CHROMIUM_PATH', async () => [process.env.CHROMIUM_PATH]],
  ['installed', async () => installed()],
  ['Playwright', async () => playwrightCache()],
  ['npm', fromNpm],
  ['apt-get', fromApt],
  ['Playwright download', fromPlaywright],
]

function installed() {
  // The headless shell renders the same pages with a third less CPU time.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    'microsoft-edge',
  ]
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const apps = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ]
  const found = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [...found, ...apps].filter((file) => existsSync(file))
}

function playwrightCache() {
  const caches = {
    linux: path.join(os.homedir(), '.cache', 'ms-playwright'),
    darwin: path.join(os.homedir(), 'Library', 'Caches', 'ms-playwright'),
    win32: path.join(os.homedir(), 'AppData', 'Local', 'ms-playwright'),
  }
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? caches[process.platform]
  if (!cache || !existsSync(cache)) return []
  const inside = [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-win/chrome.exe',
  ]
  return readdirSync(cache)
    .filter((name) => name.startsWith('chromium-'))
    .flatMap((name) => inside.map((file) => path.join(cache, name, file)))
    .filter((file) => existsSync(file))
}

/** A Chromium from an npm package. It is kept outside node_modules, because npm ci would delete it. */
async function fromNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const folder = path.join(root, 'node_modules', '.cache', 'browser')
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--no-save',
    '@sparticuz/chromium@147',
  ]
  await run('npm', args, { timeout: 180_000 })
  const entry = path.join(folder, 'node_modules', '@sparticuz', 'chromium', 'build', 'esm', 'index.js')
  const { default: chromium } = await import(pathToFileURL(entry).href)
  return [await chromium.executablePath()]
}

async function fromApt() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return []
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env, timeout: 180_000 })
  await run('apt-get', ['install', '-y', '-qq', 'chromium-headless-shell'], {
    env,
    timeout: 400_000,
    maxBuffer: 1e8,
  })
  return installed()
}

async function fromPlaywright() {
  await run('npx', ['playwright', 'install', 'chromium'], { cwd: root, timeout: 300_000 })
  return playwrightCache()
}

async function starts(file) {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  return run(file, [...flags, ...quiet, '--dump-dom', 'about:blank'], { timeout: 30_000 }).then(
    ({ stdout }) => stdout.includes('<html'),
    () => false,
  )
}

function note(tried, name, error) {
  tried.push(`${name}: ${error.message.split('\n')[0]}`)
}
