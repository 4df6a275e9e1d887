import { createHash } from 'node:crypto'
import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root, runNpm, withLock, withProgress } from './steps.mjs'

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
    await compress()
    await writeFile(stamp, await hashSources())
  })
}

/** Writes a Brotli and a gzip copy of each text file of the built web, so that serving needs no CPU. */
async function compress() {
  const folder = path.join(root, 'dist', 'web')
  const entries = await readdir(folder, { recursive: true })
  const files = entries
    .filter((file) => /\.(js|css|svg|json)$/.test(file))
    .map((file) => path.join(folder, file))
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file)
      await writeFile(`${file}.br`, await promisify(brotliCompress)(text, quality))
      await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }))
    }),
  )
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

// npm run build: builds also what is up to date; `--if-changed` does not.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await (process.argv.includes('--if-changed') ? ensureBuilt() : build())
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
