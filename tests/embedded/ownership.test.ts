import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { AlreadyRunning, claimDataDir, findOwner } from '../../server/db/embedded/claimDataDir.ts'
import { scaled } from '../harness/tier.ts'
import { address, end, exitCodeOf, makeDataDir, runTypeScript, startOwner } from './owners.ts'

test('a second start gets the address of the first, and changes nothing', async () => {
  const dataDir = await makeDataDir()
  const first = await startOwner(dataDir)
  const before = await listTimes(dataDir)

  const second = await startOwner(dataDir)
  expect(second.status.name).toBe('AlreadyRunning')
  expect(second.status.error).toContain(`already running at ${address} (process ${first.child.pid})`)
  expect(await listTimes(dataDir)).toEqual(before)
  expect(await findOwner(dataDir)).toEqual({ pid: first.child.pid, address })
})

test('a process that is still starting owns the folder', async () => {
  const dataDir = await makeDataDir()
  const claim = await claimDataDir(dataDir)

  const refusal = await claimDataDir(dataDir).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(AlreadyRunning)
  expect(refusal).toMatchObject({ address: '', message: expect.stringContaining('still starting') })

  await claim.release()
  expect(await findOwner(dataDir)).toBeNull()
})

test('a killed owner loses the folder, and its socket is deleted', async () => {
  const dataDir = await makeDataDir()
  const first = await startOwner(dataDir)
  await end(first.child, 'SIGKILL')
  expect(await findOwner(dataDir)).toBeNull()

  const claim = await claimDataDir(dataDir)
  const sockets = (await readdir(path.join(dataDir, 'control'))).filter((name) => name.endsWith('.sock'))
  expect(sockets).toHaveLength(process.platform === 'win32' ? 0 : 1)
  await claim.release()
})

test('a claim left empty by a power cut is ignored', async () => {
  const dataDir = await makeDataDir()
  await mkdir(path.join(dataDir, 'control'), { recursive: true })
  await writeFile(path.join(dataDir, 'control', '7.json'), '')

  const claim = await claimDataDir(dataDir)
  claim.setAddress(address)
  expect(await findOwner(dataDir)).toEqual({ pid: process.pid, address })
  await claim.release()
})

test('a missing folder has no owner, and checking does not create it', async () => {
  const dataDir = await makeDataDir()
  expect(await findOwner(dataDir)).toBeNull()
  await expect(stat(dataDir)).rejects.toThrow('ENOENT')
})

test('exactly one of many concurrent claims wins, again and again', async () => {
  const dataDir = await makeDataDir()
  for (let round = 0; round < scaled(20, 100); round++) {
    const claims = await Promise.allSettled(Array.from({ length: 8 }, () => claimDataDir(dataDir)))
    const won = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []))
    const rejections = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason] : []))
    expect(won).toHaveLength(1)
    expect(rejections.every((reason) => reason instanceof AlreadyRunning)).toBe(true)
    await won[0]?.release()
  }
})

test('processes that claim, release and die never hold the folder together', async () => {
  const dataDir = await makeDataDir()
  const racers = ['', '', 'die', 'die'].map((ending) =>
    runTypeScript('lockRacer.ts', [dataDir, String(scaled(20, 150)), ending]),
  )

  const outputs = await Promise.all(racers.map((racer) => text(racer.stdout as NodeJS.ReadableStream)))
  expect(outputs.join('')).not.toContain('both')
  expect(await Promise.all(racers.map((racer) => exitCodeOf(racer)))).toEqual([0, 0, null, null])
})

/** Every file below, with its modification time, sockets included. */
async function listTimes(folder: string): Promise<Record<string, number>> {
  const names = await readdir(folder, { recursive: true })
  // PostgreSQL keeps writing to its own folder.
  const ours = names.filter((name) => !name.startsWith(`postgres${path.sep}`))
  const times = ours.map(async (name) => [name, (await stat(path.join(folder, name))).mtimeMs] as const)
  return Object.fromEntries(await Promise.all(times))
}

test('a disk without hard links is refused with a sentence, and nothing listens there afterwards', async () => {
  const dataDir = await makeDataDir()
  const makeLink = async () => {
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })
  }

  await expect(claimDataDir(dataDir, makeLink)).rejects.toThrow(
    `DATA_DIR ${dataDir} is on a disk that has no hard links or sockets`,
  )
  expect(await findOwner(dataDir)).toBeNull()
  expect(await readdir(path.join(dataDir, 'control'))).toEqual([])
})
