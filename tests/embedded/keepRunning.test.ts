import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const keeper = path.resolve(import.meta.dirname, '../../scripts/keepRunning.mjs')

test('a server that ends unexpectedly is restarted with a growing delay, and the log says so', async () => {
  const { ended, lines } = await keep(`
    console.log('run', run)
    if (run === 1) process.kill(process.pid, 'SIGKILL')
    if (run === 2) throw new Error('a bug')
    if (run === 3) process.exit(78) // Fatal on a first start only: a later one may wait for the database.
    process.exit(0)`)

  expect(await ended).toBe(0)
  expect(lines).toEqual([
    'run 1',
    'The server ended unexpectedly (SIGKILL). It restarts in 0.01 s.',
    'run 2',
    'The server ended unexpectedly (exit code 1). It restarts in 0.02 s.',
    'run 3',
    'The server ended unexpectedly (exit code 78). It restarts in 0.04 s.',
    'run 4',
  ])
})

test('the delay starts over when the server has run for a while', async () => {
  const { ended, lines } = await keep(
    `console.log('run', run)
    setTimeout(() => process.exit(run === 3 ? 0 : 1), run === 2 ? 60 : 0)`,
    { ranWell: 50 },
  )

  expect(await ended).toBe(0)
  expect(lines.filter((line) => line.startsWith('The server'))).toEqual([
    'The server ended unexpectedly (exit code 1). It restarts in 0.01 s.',
    'The server ended unexpectedly (exit code 1). It restarts in 0.01 s.',
  ])
})

test('a server that fails its first start is not restarted', async () => {
  const { ended, lines } = await keep(`console.log('run', run); process.exit(78)`)

  expect(await ended).toBe(78)
  expect(lines).toEqual(['run 1'])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops the program, which passes the exit code on',
  async (signal) => {
    const { keeping, ended, lines } = await keep(`
    process.on('${signal}', () => { console.log('stopping'); process.exit(3) })
    setInterval(() => {}, 1000)
    console.log('run', run)`)
    await expect.poll(() => lines, { timeout: 30_000 }).toEqual(['run 1'])
    keeping.kill(signal)

    expect(await ended).toBe(3)
    expect(lines).toEqual(['run 1', 'stopping'])
  },
)

test('SIGHUP is passed on; a server that goes on is restarted later, and one that stops ends the program', async () => {
  const { keeping, ended, lines } = await keep(`
    process.on('SIGHUP', () => {
      console.log('replacing')
      if (run === 2) process.exit(0)
    })
    process.on('SIGUSR2', () => process.exit(1))
    setInterval(() => {}, 1000)
    console.log('run', run, process.pid)`)
  const pidOf = async (run: number) => {
    await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toMatch(new RegExp(`^run ${run} `))
    return Number(lines.at(-1)?.split(' ')[2])
  }
  const first = await pidOf(1)
  keeping.kill('SIGHUP')
  await expect.poll(() => lines.at(-1)).toBe('replacing')
  process.kill(first, 'SIGUSR2')
  await pidOf(2)
  keeping.kill('SIGHUP')

  expect(await ended).toBe(0)
})

test('a signal between two runs ends the program', async () => {
  const { keeping, ended, lines } = await keep('process.exit(1)', { firstPause: 60_000 })
  await expect.poll(() => lines).toHaveLength(1)
  keeping.kill('SIGTERM')

  expect(await ended).toBe(0)
})

/** Keeps a program running that receives its number of starts as `run`. */
async function keep(
  program: string,
  options: { firstPause?: number; ranWell?: number } = {},
): Promise<{ keeping: ChildProcess; ended: Promise<number | null>; lines: string[] }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-keep-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'program.mjs')
  await writeFile(
    file,
    `import { appendFileSync, readFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(path.join(folder, 'runs'))}, '.')
    const run = readFileSync(${JSON.stringify(path.join(folder, 'runs'))}).length
    ${program}`,
  )
  const start = `import(${JSON.stringify(keeper)}).then(({ keepRunning }) =>
    keepRunning([${JSON.stringify(file)}], ${JSON.stringify({ firstPause: 10, ...options })}))`
  const keeping = spawn(process.execPath, ['-e', start], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void keeping.kill('SIGKILL'))
  const lines: string[] = []
  createInterface({ input: keeping.stdout }).on('line', (line) => lines.push(line))
  const ended = once(keeping, 'close').then(([code]) => code as number | null)
  return { keeping, ended, lines }
}
