import { execFile, spawnSync } from 'node:child_process'
import { chmod, chown, cp, lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findBinaries, prepareBinaries } from '../../server/db/embedded/binaries.ts'
import { findOwner } from '../../server/db/embedded/claimDataDir.ts'
import { findProcesses } from '../../server/db/embedded/processes.ts'
import { address, end, makeDataDir, query, type StartedOwner, startOwner } from './owners.ts'

const nobody = 65534
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const canAnswer = (owner: StartedOwner) => query(owner, async (sql) => (await sql`select 1`).length === 1)

/** Needs root on Linux, and programs that other users can run. */
const rootTest = (name: string, body: () => Promise<void>, others = true) =>
  test(name, async (context) => {
    const reason = unavailableReason(others)
    if (reason) {
      console.log(`skipped: "${name}": ${reason}`)
      context.skip(reason)
    }
    await body()
  })

test.skipIf(process.platform === 'win32')(
  'below a deep path the sockets are in a short private folder',
  async () => {
    const dataDir = await makeDataDir({ below: 'a-rather-deep-folder/'.repeat(6) })
    const first = await startOwner(dataDir)
    const folder = first.status.connection?.host ?? ''

    expect(folder.startsWith(dataDir)).toBe(false)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await canAnswer(first)).toBe(true)
    expect(await findOwner(dataDir)).toEqual({ pid: first.child.pid, address })

    await end(first.child, 'SIGKILL')
    const second = await startOwner(dataDir)
    expect(second.status).toMatchObject({ adopted: true, connection: first.status.connection })
    await end(second.child, 'SIGTERM')
    await expect(stat(folder)).rejects.toThrow('ENOENT')
  },
)

test('a folder name with spaces, quotes, signs of addresses and non-ASCII letters', async () => {
  const owner = await startOwner(await makeDataDir({ below: `it's "my" Müsik, no. #1 & 100%?` }))
  expect(await canAnswer(owner)).toBe(true)
})

test.skipIf(process.platform === 'win32')(
  'library links are created when install scripts are blocked',
  async () => {
    const installed = path.resolve(path.dirname((await findBinaries()).initdb), '../..')
    const copy = path.join(await makeDataDir(), 'package')
    await cp(installed, copy, {
      recursive: true,
      filter: async (file) => !(await lstat(file)).isSymbolicLink(),
    })
    const links = JSON.parse(await readFile(path.join(copy, 'native/pg-symlinks.json'), 'utf8')) as unknown[]
    expect(await countLinks(copy)).toBe(0)

    const binaries = await Promise.all([prepareBinaries(copy), prepareBinaries(copy)])
    expect(await countLinks(copy)).toBe(links.length)
    const { stdout } = await promisify(execFile)(binaries[0].initdb, ['--version'])
    expect(stdout).toContain(`PostgreSQL) ${binaries[0].major}`)
  },
)

rootTest(
  'root, below a folder that only root may enter',
  async () => {
    const dataDir = await makeDataDir({ mode: 0o700 })
    const owner = await startOwner(dataDir)
    expect(await canAnswer(owner)).toBe(true)
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(0)
  },
  false,
)

rootTest('root, without user namespaces: the account nobody runs the database', async () => {
  const dataDir = await makeDataDir({ mode: 0o711 })
  const first = await startOwner(dataDir, withoutUnshare)
  expect(await canAnswer(first)).toBe(true)
  const [pid] = (await findProcesses(path.join(dataDir, 'postgres'))) ?? []
  expect(await readFile(`/proc/${pid}/status`, 'utf8')).toContain(`Uid:\t${nobody}`)
  await end(first.child, 'SIGKILL')

  const second = await startOwner(dataDir)
  expect(second.status).toMatchObject({ up: true, adopted: true })
  expect(await end(second.child, 'SIGTERM')).toBe(0)
  expect(await canAnswer(await startOwner(dataDir))).toBe(true)
})

rootTest('root, a database created with user namespaces runs without them', async () => {
  const dataDir = await makeDataDir({ mode: 0o711 })
  await end((await startOwner(dataDir)).child, 'SIGTERM')
  expect(await canAnswer(await startOwner(dataDir, withoutUnshare))).toBe(true)
})

rootTest('root, without user namespaces and below a 0700 folder: says what to do', async () => {
  const { status } = await startOwner(await makeDataDir({ mode: 0o700 }), withoutUnshare)
  expect(status.error).toMatch(/does not run as root.*DATABASE_URL/)
})

rootTest('an ordinary user, and root afterwards on the same data', async () => {
  const dataDir = await makeOwnDataDir(nobody)
  const first = await startOwner(dataDir, { uid: nobody })
  expect(await canAnswer(first)).toBe(true)
  await end(first.child, 'SIGKILL')

  const second = await startOwner(dataDir)
  expect(second.status).toMatchObject({ up: true, adopted: true })
  await end(second.child, 'SIGTERM')
  await end((await startOwner(dataDir)).child, 'SIGTERM')

  const third = await startOwner(dataDir, { uid: nobody })
  expect(third.status).toMatchObject({ up: true, adopted: false })
})

rootTest('a user without an entry in /etc/passwd: works or says what to do', async () => {
  const uid = 54321
  const owner = await startOwner(await makeOwnDataDir(uid), { uid })
  if (owner.status.up) expect(await end(owner.child, 'SIGTERM')).toBe(0)
  else expect(owner.status.error).toMatch(/54321.*DATABASE_URL/)
})

rootTest('a user without an entry in /etc/passwd and without user namespaces: says what to do', async () => {
  const uid = 54321
  const { status } = await startOwner(await makeOwnDataDir(uid), { uid, ...withoutUnshare })
  expect(status.error).toMatch(/54321.*DATABASE_URL/)
})

function unavailableReason(others: boolean): string | null {
  if (!isRoot) return 'needs root on Linux'
  if (!others) return null
  const { status } = spawnSync(
    '/bin/sh',
    ['-c', 'cd "$1" && cd "$2"', 'sh', import.meta.dirname, os.tmpdir()],
    {
      cwd: '/',
      uid: nobody,
      gid: nobody,
    },
  )
  return status === 0 ? null : 'other users cannot get to this folder'
}

/** unshare is found through PATH. */
const withoutUnshare = { env: { PATH: '/nowhere' } }

async function makeOwnDataDir(uid: number): Promise<string> {
  const dataDir = await makeDataDir({ mode: 0o711 })
  await mkdir(dataDir, { mode: 0o700 })
  await chmod(dataDir, 0o700)
  await chown(dataDir, uid, uid)
  return dataDir
}

async function countLinks(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isSymbolicLink()).length
}
