import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

/* Failed starts and delays, which tests/browser does not cover. */

const supervisor = path.resolve(import.meta.dirname, '../../server/process/supervise.ts')

test('a process that ends unexpectedly is restarted with a growing delay, and the log says so', async () => {
  const { program, exitCode, lines } = await supervise(`
    listen()
    if (run === 1) end(() => process.kill(process.pid, 'SIGKILL'))
    if (run === 2) end(() => process.exit(1))
    if (run === 3) process.exit(78) // Fatal on a first start only.`)
  await expect.poll(() => lines).toContain('run 4')
  program.kill('SIGTERM')

  expect(await exitCode).toBe(0)
  expect(lines).toEqual([
    'run 1',
    'A server process ended unexpectedly (SIGKILL). It restarts in 0.01 s.',
    'run 2',
    'A server process ended unexpectedly (exit code 1). It restarts in 0.02 s.',
    'run 3',
    'A server process ended unexpectedly (exit code 78). It restarts in 0.04 s.',
    'run 4',
  ])
})

test('the delay starts over when a process has run for a while', async () => {
  const { program, lines } = await supervise('listen(); if (run < 3) end(() => process.exit(1))', {
    stableAfter: 1,
  })
  await expect.poll(() => lines).toContain('run 3')
  program.kill('SIGTERM')

  expect(lines.filter((line) => line.includes('0.01 s'))).toHaveLength(2)
})

test('a process that fails its first start is not restarted', async () => {
  const { exitCode, lines } = await supervise('process.exit(78)')

  expect(await exitCode).toBe(78)
  expect(lines).toEqual(['run 1'])
})

test('SIGHUP, as by systemctl reload, replaces the only process, and the service goes on', async () => {
  const { program, exitCode, lines } = await supervise(`
    listen()
    process.on('message', () => process.exit(0))`)
  await expect.poll(() => lines).toEqual(['run 1'])
  program.kill('SIGHUP')
  await expect.poll(() => lines).toEqual(['run 1', 'run 2', 'All server processes were replaced.'])
  program.kill('SIGTERM')

  expect(await exitCode).toBe(0)
})

test('a signal between two runs ends the program', async () => {
  const { program, exitCode, lines } = await supervise('listen(); end(() => process.exit(1))', {
    minBackoff: 60_000,
  })
  await expect.poll(() => lines).toHaveLength(2)
  program.kill('SIGTERM')

  expect(await exitCode).toBe(0)
})

test('a signal during the preparation ends what was prepared, and starts no process', async () => {
  const { program, exitCode, lines } = await supervise('listen()', {
    more: `
      async prepare() {
        console.log('prepares')
        await globalThis.prepared
        return {}
      },
      async close() {
        await globalThis.prepared
        console.log('closes')
      },`,
  })
  await expect.poll(() => lines).toEqual(['prepares'])
  program.kill('SIGTERM')

  expect(await exitCode).toBe(0)
  expect(lines).toEqual(['prepares', 'closes'])
})

/** Supervises a program that receives its number of starts as `run`, and `listen`. `more` is source of the plan. */
async function supervise(
  source: string,
  { more = '', ...options }: { minBackoff?: number; stableAfter?: number; more?: string } = {},
) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-supervise-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const exec = path.join(folder, 'program.mjs')
  const runs = JSON.stringify(path.join(folder, 'runs'))
  await writeFile(
    exec,
    `import { appendFileSync, readFileSync } from 'node:fs'
    import { createServer } from 'node:http'
    appendFileSync(${runs}, '.')
    const run = readFileSync(${runs}).length
    const listen = () => createServer().listen(0)
    // Resolves when the supervisor knows that the process listens.
    const end = (how) => setTimeout(how, 300)
    console.log('run', run)
    process.on('SIGTERM', () => process.exit(0))
    ${source}`,
  )
  const plan = JSON.stringify({ exec, count: 1, stopTimeout: 10_000, minBackoff: 10, ...options })
  const start = path.join(folder, 'start.mjs')
  await writeFile(
    start,
    `import cluster from 'node:cluster'
    import { supervise } from ${JSON.stringify(supervisor)}
    // The program needs no tsx, which takes longer to load than all else here.
    cluster.setupPrimary({ execArgv: [] })
    globalThis.prepared = new Promise((resolve) => setTimeout(resolve, 500))
    await supervise({ ...${plan}, ${more} })`,
  )
  const program = spawn(process.execPath, ['--import', 'tsx', start], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void program.kill('SIGKILL'))
  const lines: string[] = []
  createInterface({ input: program.stdout }).on('line', (line) => lines.push(line))
  const exitCode = once(program, 'close').then(([code]) => code as number | null)
  return { program, exitCode, lines }
}
