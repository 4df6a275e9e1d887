import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { askOwner, type ControlSocket, listenAsOwner, type Owner, removeControl } from './controlSocket.ts'
import { explainFullDisk, isUnsupportedByDisk } from './diskErrors.ts'

/** Another server uses the data folder. The message is for the operator. */
export class AlreadyRunning extends Error {
  /** Its address; '' while it is starting. */
  readonly address: string

  constructor(dataDir: string, owner: Owner) {
    const where = owner.address ? `at ${owner.address}` : 'and still starting'
    super(
      `Banger or Bust is already running ${where} (process ${owner.pid}) with the data in ${dataDir}. Nothing was changed. Use that one, stop it first, or set DATA_DIR to another folder.`,
    )
    this.name = 'AlreadyRunning'
    this.address = owner.address
  }
}

export interface Claim {
  /** The address that a second start prints. Call it once the server listens. */
  setAddress(address: string): void
  /** Releases the data folder, after the database has stopped. */
  release(): Promise<void>
}

/**
 * Makes this process the owner of the data folder.
 *
 * Each claim is a numbered file that names the control socket of its owner, who listens before the file appears. A start
 * takes the next number only if the newest owner is dead, by a link() in which only one start succeeds. The newest file
 * is never deleted. So two starts at once cannot both succeed, and a dead owner does not count.
 * @throws AlreadyRunning when another process owns it.
 */
export async function claimDataDir(dataDir: string, makeLink = link): Promise<Claim> {
  const folder = claimFolder(dataDir)
  for (;;) {
    const newest = await readNewest(folder)
    const owner = newest && (await askOwner(folder, newest.control))
    if (owner) throw new AlreadyRunning(path.resolve(dataDir), owner)

    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(explainFullDisk(dataDir))
    const control = await listenAsOwner(folder)
      .catch(explainUnsupportedDisk(dataDir))
      .catch(explainFullDisk(dataDir))
    const isClaimed = await takeNumber(folder, (newest?.number ?? 0) + 1, control, makeLink)
      .catch(explainUnsupportedDisk(dataDir))
      .catch(explainFullDisk(dataDir))
      .catch(async (error: unknown) => {
        await control.release()
        throw error
      })
    if (isClaimed) return control
    await control.release()
  }
}

const explainUnsupportedDisk = (dataDir: string) => (error: unknown) => {
  if (!isUnsupportedByDisk(error)) throw error
  throw new Error(
    `DATA_DIR ${path.resolve(dataDir)} is on a disk that has no hard links or sockets, as exFAT and network shares. Set DATA_DIR to a folder on another disk of this machine. Backups may go to this one.`,
  )
}

/** The owner of the data folder, if it has one. `address` is '' while the owner is starting. */
export async function findOwner(dataDir: string): Promise<{ pid: number; address: string } | null> {
  const folder = claimFolder(dataDir)
  const newest = await readNewest(folder)
  return newest && askOwner(folder, newest.control)
}

function claimFolder(dataDir: string): string {
  return path.join(path.resolve(dataDir), 'control')
}

async function readNewest(folder: string): Promise<{ number: number; control: string } | null> {
  for (;;) {
    const number = (await readNumbers(folder)).at(-1)
    if (number === undefined) return null
    const text = await readFile(claimFile(folder, number), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    // It was deleted because a newer one exists.
    if (text === null) continue
    return { number, control: readControl(text) }
  }
}

/** A power failure can leave the file empty; its owner is dead then. */
function readControl(text: string): string {
  try {
    return String((JSON.parse(text) as { control: unknown }).control)
  } catch {
    return ''
  }
}

async function takeNumber(
  folder: string,
  number: number,
  control: ControlSocket,
  makeLink: typeof link,
): Promise<boolean> {
  const draft = path.join(folder, `${randomBytes(8).toString('hex')}.tmp`)
  await writeFile(draft, `${JSON.stringify({ pid: process.pid, control: control.name })}\n`)
  try {
    await makeLink(draft, claimFile(folder, number))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
  // The list may be outdated by now: the higher number wins.
  const numbers = await readNumbers(folder)
  if (numbers.at(-1) !== number) {
    await rm(claimFile(folder, number), { force: true })
    return false
  }
  await deleteOldClaims(folder, numbers.slice(0, -1))
  return true
}

/** Deletes files of earlier owners. The latest one stays, for processes that are reading the list now. */
async function deleteOldClaims(folder: string, earlier: number[]): Promise<void> {
  for (const number of earlier) {
    const text = await readFile(claimFile(folder, number), 'utf8').catch(() => '')
    await removeControl(folder, readControl(text))
    if (number !== earlier.at(-1)) await rm(claimFile(folder, number), { force: true })
  }
}

async function readNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

function claimFile(folder: string, number: number): string {
  return path.join(folder, `${number}.json`)
}
