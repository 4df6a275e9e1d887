import { execFile, spawn } from 'node:child_process'
import { chmod, chown, readdir, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { DATABASE_URL_HINT } from './binaries.ts'

/** The account that PostgreSQL's programs run under, which must not be root. */
export interface RunAs {
  /** Prefix of the command line. */
  prefix: string[]
  uid?: number
  gid?: number
}

/**
 * Chooses the account for the programs in `programFolder` and the cluster in `clusterDir`, which need not exist yet.
 * @throws Error for the operator when PostgreSQL can run under none.
 */
export async function chooseRunAs(clusterDir: string, programFolder: string): Promise<RunAs> {
  if (process.platform === 'win32') return { prefix: [] }
  const owner = await stat(clusterDir).catch(() => null)
  if (process.getuid?.() !== 0) return chooseForUser(owner !== null)

  // A cluster of an ordinary user keeps that account, so that a later start without root works.
  if (owner && owner.uid !== 0) {
    const account = { prefix: [], uid: owner.uid, gid: owner.gid }
    await requireReachable([clusterDir, programFolder], account)
    return account
  }
  if (await canMapUser()) return { prefix: mapUserCommand }
  const nobody = { prefix: [], uid: nobodyId, gid: nobodyId }
  await allowTraversal(path.dirname(clusterDir))
  await requireReachable([path.dirname(clusterDir), programFolder], nobody)
  if (owner) await changeOwnerOfTree(clusterDir, nobody)
  return nobody
}

export async function changeOwner(file: string, runAs: RunAs): Promise<void> {
  if (runAs.uid !== undefined) await chown(file, runAs.uid, runAs.gid ?? runAs.uid)
}

const nobodyId = 65534

// In a user namespace of its own root appears as nobody, while files still belong to root and remain accessible.
const mapUserCommand = ['unshare', '--user', `--map-user=${nobodyId}`, `--map-group=${nobodyId}`]

const run = promisify(execFile)

async function chooseForUser(isInitialised: boolean): Promise<RunAs> {
  try {
    os.userInfo()
    return { prefix: [] }
  } catch {
    // Only initdb needs an entry in /etc/passwd.
    if (isInitialised) return { prefix: [] }
    if (await canMapUser()) return { prefix: mapUserCommand }
    throw new Error(
      `The built-in PostgreSQL cannot be set up by user id ${process.getuid?.()}, which has no entry in /etc/passwd. Start as a user that has one, ${DATABASE_URL_HINT}`,
    )
  }
}

async function canMapUser(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const [program = '', ...args] = [...mapUserCommand, 'true']
  return run(program, args).then(
    () => true,
    () => false,
  )
}

/** Lets other accounts traverse the data folder, but not list it. Secret files have their own permissions. */
async function allowTraversal(folder: string): Promise<void> {
  const { mode } = await stat(folder)
  if ((mode & 0o011) !== 0o011) await chmod(folder, (mode & 0o777) | 0o011)
}

async function requireReachable(folders: string[], runAs: RunAs): Promise<void> {
  const enterEach = 'for folder; do cd "$folder" || exit 1; done'
  try {
    await run('/bin/sh', ['-c', enterEach, 'sh', ...folders], { cwd: '/', uid: runAs.uid, gid: runAs.gid })
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() || String(error)
    throw new Error(
      `PostgreSQL does not run as root, and the account ${runAs.uid} that it runs under instead cannot access ${folders.join(' and ')} (${reason}). Start as an ordinary user, give that account access to the parent folders, ${DATABASE_URL_HINT}`,
    )
  }
}

async function changeOwnerOfTree(folder: string, runAs: RunAs): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true }))
    await changeOwner(path.join(folder, entry), runAs)
  await changeOwner(folder, runAs)
}

/**
 * Runs one of PostgreSQL's programs and returns its exit code and output. With `logFd`, it and the server that it starts
 * write there instead.
 */
export function runPostgresProgram(
  program: string,
  args: string[],
  runAs: RunAs,
  options: { cwd?: string; logFd?: number } = {},
): Promise<{ code: number; output: string }> {
  const [command = program, ...rest] = [...runAs.prefix, program, ...args]
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      stdio: ['ignore', options.logFd ?? 'pipe', options.logFd ?? 'pipe'],
      uid: runAs.uid,
      gid: runAs.gid,
      // Ctrl-C in the terminal must not reach PostgreSQL, which we stop in order.
      detached: process.platform !== 'win32',
      windowsHide: true,
      cwd: options.cwd ?? os.tmpdir(),
      env: minimalEnvironment(),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
      })
    }
    child.on('error', reject)
    // 'close' waits for every process that inherited the pipes; on Windows that includes the server.
    child.on('exit', (code) => {
      setImmediate(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
        resolve({ code: code ?? -1, output: output.trim() })
      })
    })
  })
}

/** Has neither our secrets nor PG* variables. Messages are in English. */
function minimalEnvironment(): NodeJS.ProcessEnv {
  const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'windir', 'USERPROFILE']
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C' }
  for (const key of inherited) if (process.env[key] !== undefined) env[key] = process.env[key]
  return env
}
