import { randomBytes } from 'node:crypto'
import { rm, utimes } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { fitsSocket, isShortFolder, makeShortFolder, removeShortFolder } from './socketAddress.ts'

export interface Owner {
  pid: number
  address: string
}

export interface ControlSocket {
  /** A file name in the claims' folder, a full path, or a pipe's name. */
  name: string
  setAddress(address: string): void
  release(): Promise<void>
}

/** Opens this process's control socket. Clients get its process id and address. */
export async function listenAsOwner(folder: string): Promise<ControlSocket> {
  const { name, socketPath, shortFolder } = await choosePath(folder)
  const owner: Owner = { pid: process.pid, address: '' }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(owner))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Any account that can enter the folder may connect, so that its start sees the running server.
    server.listen({ path: socketPath, readableAll: true, writableAll: true }, resolve)
  })
  server.unref()
  // Cleaners of temporary folders delete old files. PostgreSQL touches its socket, too.
  const touch = setInterval(() => void utimes(socketPath, new Date(), new Date()).catch(() => {}), 3_600_000)
  touch.unref()
  return {
    name,
    setAddress(address) {
      owner.address = address
    },
    async release() {
      clearInterval(touch)
      // Closing also deletes the socket file.
      await new Promise((resolve) => server.close(resolve))
      await removeShortFolder(shortFolder)
    },
  }
}

/** Asks the owner behind a control socket; null when nothing listens. */
export function askOwner(folder: string, name: string): Promise<Owner | null> {
  if (!name) return Promise.resolve(null)
  return new Promise((resolve) => {
    const socket = connect({ path: isPipe(name) ? name : path.resolve(folder, name) })
    let reply = ''
    let isConnected = false
    const finish = () => {
      socket.destroy()
      resolve(readOwner(reply))
    }
    socket.setTimeout(2000, finish)
    socket.on('connect', () => {
      isConnected = true
    })
    socket.on('data', (chunk) => {
      reply += chunk
    })
    socket.on('end', finish)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const isDead = !isConnected && ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(error.code ?? '')
      resolve(isDead ? null : readOwner(reply))
    })
  })
}

/** Deletes the socket of a dead owner. */
export async function removeControl(folder: string, name: string): Promise<void> {
  if (!name || isPipe(name)) return
  const shortFolder = path.isAbsolute(name) ? path.dirname(name) : ''
  if (shortFolder && !(await isShortFolder(shortFolder))) return
  await rm(path.resolve(folder, name), { force: true })
  if (shortFolder) await removeShortFolder(shortFolder)
}

async function choosePath(
  folder: string,
): Promise<{ name: string; socketPath: string; shortFolder: string }> {
  const random = randomBytes(6).toString('hex')
  if (process.platform === 'win32') {
    const pipe = `\\\\.\\pipe\\banger-or-bust-${random}`
    return { name: pipe, socketPath: pipe, shortFolder: '' }
  }
  const name = `${random}.sock`
  const inside = path.join(folder, name)
  if (fitsSocket(inside)) return { name, socketPath: inside, shortFolder: '' }
  const shortFolder = await makeShortFolder()
  const outside = path.join(shortFolder, 'control.sock')
  return { name: outside, socketPath: outside, shortFolder }
}

function isPipe(name: string): boolean {
  return name.startsWith('\\\\.\\pipe\\')
}

/** A process that listens but is too busy to answer is still the owner. */
function readOwner(reply: string): Owner {
  try {
    const { pid, address } = JSON.parse(reply) as Owner
    return { pid, address }
  } catch {
    return { pid: 0, address: '' }
  }
}
