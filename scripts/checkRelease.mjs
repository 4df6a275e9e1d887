/*
 * `node scripts/checkRelease.mjs ARCHIVE`: compares an archive with its checksum, unpacks it elsewhere, starts it with an
 * empty environment, loads the first page and the doctor, and stops it. Ends with 1 when something is wrong.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Milliseconds for a first start on a slow machine. */
const START_TIMEOUT = 120_000

const run = promisify(execFile)
const [archive = ''] = process.argv.slice(2)
const place = await mkdtemp(path.join(os.tmpdir(), 'banger-or-bust-release-'))
try {
  await compareChecksum()
  await run('tar', ['--extract', '--file', path.resolve(archive), '--directory', place])
  const [name = ''] = await readdir(place)
  await startAndStop(path.join(place, name))
} finally {
  await rm(place, { recursive: true, force: true })
}

async function compareChecksum() {
  const hash = createHash('sha256')
  await pipeline(createReadStream(archive), hash)
  const found = `${hash.digest('hex')}  ${path.basename(archive)}\n`
  if (found !== (await readFile(`${archive}.sha256`, 'utf8'))) throw new Error('The checksum differs.')
}

async function startAndStop(folder) {
  const env = {
    PATH: `${path.dirname(process.execPath)}${path.delimiter}/usr/bin${path.delimiter}/bin`,
    PORT: String(await freePort()),
    DATA_DIR: path.join(place, 'data'),
  }
  const started = performance.now()
  const server = spawn(process.execPath, ['scripts/start.mjs'], { cwd: folder, env })
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (text) => {
      output += text
    })
  const ended = new Promise((resolve) => server.once('close', resolve))
  try {
    const page = await firstPage(`http://localhost:${env.PORT}/`, () => server.exitCode === null)
    if (!page.includes('<title>Banger or Bust')) throw new Error(`The first page is another one:\n${page}`)
    console.log(`first page after ${((performance.now() - started) / 1000).toFixed(1)} s`)
    const { stdout } = await run(process.execPath, ['scripts/program.mjs', 'doctor'], { cwd: folder, env })
    console.log(stdout.split('\n').find((line) => line.includes('PostgreSQL')))
  } catch (error) {
    console.error(output)
    throw error
  } finally {
    server.kill('SIGTERM')
    await ended
  }
  if (/Installing|Building/.test(output)) throw new Error(`It installed or built something:\n${output}`)
  if (server.exitCode !== 0) throw new Error(`It did not stop in order:\n${output}`)
}

async function firstPage(address, isRunning) {
  for (const deadline = Date.now() + START_TIMEOUT; Date.now() < deadline && isRunning(); await wait(100)) {
    const answer = await fetch(address).catch(() => null)
    if (answer?.ok) return answer.text()
  }
  throw new Error('It does not start.')
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
