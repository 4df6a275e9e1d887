import { execFile } from 'node:child_process'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * The live processes in the cluster's folder that are PostgreSQL or about to start it; null when that cannot be
 * determined. A process id alone proves nothing: it may be a zombie's, or have been reused.
 */
export async function findProcesses(clusterDir: string): Promise<number[] | null> {
  if (process.platform === 'linux') return findByProc(clusterDir)
  if (process.platform === 'win32') return null
  return findByLsof(clusterDir)
}

/** Whether that process is a live PostgreSQL of this cluster. */
export async function isPostgres(pid: number, clusterDir: string): Promise<boolean> {
  if (pid <= 0) return false
  if (process.platform === 'linux') return isRunningIn(pid, await folderIdentity(clusterDir), ['postgres'])
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function findByProc(clusterDir: string): Promise<number[]> {
  const folder = await folderIdentity(clusterDir)
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const found = await Promise.all(pids.map((pid) => isRunningIn(pid, folder, ['postgres', 'pg_ctl'])))
  return pids.filter((_, index) => found[index])
}

/** PostgreSQL processes have the cluster's folder as working directory; a zombie has none. */
async function isRunningIn(pid: number, folder: string | null, programs: string[]): Promise<boolean> {
  if (folder === null) return false
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return programs.includes(name.trim()) && (await folderIdentity(`/proc/${pid}/cwd`)) === folder
}

function folderIdentity(folder: string): Promise<string | null> {
  return stat(folder, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  )
}

async function findByLsof(clusterDir: string): Promise<number[] | null> {
  const folder = await realpath(clusterDir).catch(() => null)
  if (folder === null) return []
  try {
    const { stdout } = await promisify(execFile)('lsof', ['-a', '-c', 'postgres', '-d', 'cwd', '-Fpn'])
    return stdout
      .split(/^(?=p)/m)
      .filter((block) => block.split('\n').includes(`n${folder}`))
      .map((block) => Number.parseInt(block.slice(1), 10))
  } catch (error) {
    // lsof exits with 1 when it finds nothing.
    return (error as { code?: unknown }).code === 1 ? [] : null
  }
}
