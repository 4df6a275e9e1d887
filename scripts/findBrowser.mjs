import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root } from './steps.mjs'

const run = promisify(execFile)

/**
 * Finds a Chromium for the browser tests: CHROMIUM_PATH, an installed one, one from npm, the system's package, or
 * Playwright's download. Returns the first that starts.
 * @returns {Promise<string>} its path
 */
export async function findBrowser() {
  const tried = []
  for (const [name, find] of Object.entries(sources)) {
    try {
      for (const file of await find()) {
        if (await starts(file)) return file
        tried.push(`${name}: ${file} does not start`)
      }
    } catch (error) {
      tried.push(`${name}: ${error.message.split('\n')[0]}`)
    }
  }
  throw new Error(
    `Chromium was not found and could not be installed. Install it, or set CHROMIUM_PATH.\n  ${tried.join('\n  ')}`,
  )
}

const sources = {
  CHROMIUM_PATH: async () => (process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : []),
  installed: async () => installed(),
  npm: fromNpm,
  'apt-get': fromApt,
  Playwright: fromPlaywright,
}

function installed() {
  // The headless shell renders the same pages with a third less CPU time.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'microsoft-edge']
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const apps = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ]
  const found = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [...found, ...apps].filter((file) => existsSync(file))
}

/** Its folder is not one of the packages that npm ci deletes. */
async function fromNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const folder = path.join(root, 'node_modules', '.cache', 'browser')
  const quiet = ['--no-audit', '--no-fund', '--no-save']
  // The last version that runs on Node 20.
  await run('npm', ['install', '--prefix', folder, ...quiet, '@sparticuz/chromium@147.0.0'], {
    timeout: 180_000,
  })
  const entry = path.join(folder, 'node_modules', '@sparticuz', 'chromium', 'build', 'esm', 'index.js')
  const { default: chromium } = await import(pathToFileURL(entry).href)
  return [await chromium.executablePath()]
}

async function fromApt() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return []
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env, timeout: 180_000 })
  const install = ['install', '-y', '-qq', 'chromium-headless-shell']
  await run('apt-get', install, { env, timeout: 400_000, maxBuffer: 1e8 })
  return installed()
}

async function fromPlaywright() {
  await run('npx', ['playwright', 'install', 'chromium'], { cwd: root, timeout: 300_000 })
  const { chromium } = await import('@playwright/test')
  return [chromium.executablePath()]
}

async function starts(file) {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  return run(file, [...flags, ...quiet, '--dump-dom', 'about:blank'], { timeout: 30_000 }).then(
    ({ stdout }) => stdout.includes('<html'),
    () => false,
  )
}
