import { createHash } from 'node:crypto'
import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withLock } from './lock.mjs'
import { withProgress } from './progress.mjs'
import { root } from './root.mjs'
import { runNpm } from './runStep.mjs'

/** Builds web and server into dist/ unless dist/ is up to date. */
export async function ensureBuilt() {
  if (await isBuilt(await hashSources())) return
  await withLock('building', async () => {
    if (await isBuilt(await hashSources())) return
    await build()
  })
}

/** Builds web and server at once, and records that dist/ is up to date. */
export async function build() {
  // With another NODE_ENV, Vite would bundle React's development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  const parts = ['build:web', 'build:server']
  await withProgress('Building', async () => {
    // After a failure the other one is waited for: it would go on writing.
    const ends = await Promise.allSettled(
      parts.map((part) => runNpm(['run', part, '--loglevel=error'], { env })),
    )
    const failed = ends.find(({ status }) => status === 'rejected')
    if (failed) throw failed.reason
    await writeFile(stamp, await hashSources())
  })
}

const stamp = path.join(root, 'dist', '.sources')
const folders = ['contract', 'server', 'web', 'catalogue', 'scripts']

async function isBuilt(hash) {
  const built = await readFile(stamp, 'utf8').catch(() => '')
  return built === hash && (await exists(path.join(root, 'dist', 'server', 'main.js')))
}

/** Hashes contents, because a git checkout changes modification times. */
async function hashSources() {
  const hash = createHash('sha256')
  for (const file of await listSources()) {
    hash.update(`${file}\0`)
    hash.update(await readFile(path.join(root, file)))
  }
  return hash.digest('hex')
}

async function listSources() {
  const files = []
  for (const folder of folders) {
    const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isFile() || /\.test\.tsx?$|\.woff$/.test(entry.name)) continue
      files.push(path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    }
  }
  const configs = (await readdir(root)).filter((name) =>
    /^(package-lock|package|tsconfig.*)\.json$|^vite\.config\./.test(name),
  )
  return [...files, ...configs].sort()
}

function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  )
}
