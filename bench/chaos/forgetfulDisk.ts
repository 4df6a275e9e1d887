import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/*
 * A disk with a cache that loses its contents when the power is cut: a program that shows an image as one file, by the
 * kernel's FUSE (https://www.kernel.org/doc/html/latest/filesystems/fuse/fuse.html, linux/fuse.h). The image has only
 * what was flushed. A loop device makes a disk of that file, so the file system and PostgreSQL on it are the real ones.
 *
 * Arguments: the image, and the file at which it is shown. The message 'cut' ends the program: of each write since the
 * last flush a random part of its sectors reaches the image, because a disk writes its cache back in any order.
 */

export type DiskMessage = 'shown' | { lostSectors: number; keptSectors: number }

const SECTOR = 512
const HEADER_BYTES = { in: 40, out: 16 }
/** Bytes of a write's arguments. */
const WRITE_HEADER_BYTES = 40
const MAX_READ_BYTES = 128 * 1024
const BIG_WRITES = 1 << 5

const [imagePath = '', shownAt = ''] = process.argv.slice(2)
const image = fs.openSync(imagePath, 'r+')
const size = fs.fstatSync(image).size
const fuse = fs.openSync('/dev/fuse', 'r+')

/** Writes since the last flush, and the newest contents of their sectors. */
let unflushed: { sector: number; data: Buffer }[] = []
const newest = new Map<number, Buffer>()
let isCut = false

process.on('message', cutPower)
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
function mount(): void {
  const options = `fd=3,rootmode=100600,user_id=0,group_id=0,allow_other,max_read=${MAX_READ_BYTES}`
  const mounting = spawn('mount', ['-i', '-n', '-t', 'fuse', '-o', options, 'forgetful-disk', shownAt], {
    stdio: ['ignore', 'inherit', 'inherit', fuse],
  })
  mounting.on('exit', (code) => {
    if (code !== 0) process.exit(1)
    process.send?.('shown' satisfies DiskMessage)
  })
}

/** One request after the other, so that a flush follows all writes answered before it. */
async function answerAll(): Promise<void> {
  const read = promisify(fs.read)
  const buffer = Buffer.alloc(MAX_READ_BYTES + 4096)
  while (!isCut) {
    try {
      const { bytesRead } = await read(fuse, buffer, 0, buffer.length, null)
      if (!isCut) answer(buffer.subarray(0, bytesRead))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENODEV') process.exit(0)
      // Not mounted yet, or a request that was withdrawn.
      if (!['EPERM', 'EINTR', 'ENOENT'].includes(code ?? '')) throw error
      await wait(5)
    }
  }
}

const EMPTY_BUFFER = Buffer.alloc(0)
const ENOSYS = 38

/** Operations of linux/fuse.h that get no reply: FORGET, INTERRUPT and BATCH_FORGET. */
const ONE_WAY_OPERATIONS = [2, 36, 42]

/** The response to each operation of linux/fuse.h. */
const HANDLERS: Record<number, (body: Buffer) => Buffer> = {
  // GETATTR, SETATTR
  3: attributes,
  4: attributes,
  // OPEN
  14: () => Buffer.alloc(16),
  // READ
  15: (body) => read(Number(body.readBigUInt64LE(8)), body.readUInt32LE(16)),
  // WRITE
  16(body) {
    const length = body.readUInt32LE(16)
    write(Number(body.readBigUInt64LE(8)), body.subarray(WRITE_HEADER_BYTES, WRITE_HEADER_BYTES + length))
    const out = Buffer.alloc(8)
    out.writeUInt32LE(length)
    return out
  },
  // RELEASE
  18: () => EMPTY_BUFFER,
  // FSYNC
  20: flush,
  // FLUSH, which is only a close
  25: () => EMPTY_BUFFER,
  // INIT
  26: initialised,
}

function answer(request: Buffer): void {
  const operation = request.readUInt32LE(4)
  if (ONE_WAY_OPERATIONS.includes(operation)) return
  const give = HANDLERS[operation]
  if (give) reply(request, give(request.subarray(HEADER_BYTES.in)))
  else reply(request, EMPTY_BUFFER, -ENOSYS)
}

function reply(request: Buffer, body: Buffer, error = 0): void {
  const header = Buffer.alloc(HEADER_BYTES.out)
  header.writeUInt32LE(HEADER_BYTES.out + body.length)
  header.writeInt32LE(error, 4)
  request.copy(header, 8, 8, 16)
  try {
    fs.writeSync(fuse, Buffer.concat([header, body]))
  } catch (error) {
    // The caller was killed.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function initialised(body: Buffer): Buffer {
  const out = Buffer.alloc(64)
  out.writeUInt32LE(7)
  out.writeUInt32LE(Math.min(31, body.readUInt32LE(4)), 4)
  out.writeUInt32LE(MAX_READ_BYTES, 8)
  out.writeUInt32LE(BIG_WRITES, 12)
  out.writeUInt32LE(MAX_READ_BYTES, 20)
  out.writeUInt32LE(1, 24)
  return out
}

/** Attributes of the only file. */
function attributes(): Buffer {
  const out = Buffer.alloc(16 + 88)
  out.writeBigUInt64LE(60n)
  out.writeBigUInt64LE(1n, 16)
  out.writeBigUInt64LE(BigInt(size), 24)
  out.writeBigUInt64LE(BigInt(size / SECTOR), 32)
  out.writeUInt32LE(0o100600, 76)
  out.writeUInt32LE(1, 80)
  out.writeUInt32LE(4096, 96)
  return out
}

function read(offset: number, length: number): Buffer {
  const out = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
  fs.readSync(image, out, 0, out.length, offset)
  for (let at = 0; at < out.length; at += SECTOR) newest.get((offset + at) / SECTOR)?.copy(out, at)
  return out
}

/** Loop devices write whole sectors. */
function write(offset: number, bytes: Buffer): void {
  if (offset % SECTOR !== 0 || bytes.length % SECTOR !== 0) throw new Error('Not a whole sector.')
  const data = Buffer.from(bytes)
  const sector = offset / SECTOR
  unflushed.push({ sector, data })
  for (let n = 0; n < data.length / SECTOR; n++)
    newest.set(sector + n, data.subarray(n * SECTOR, (n + 1) * SECTOR))
}

function flush(): Buffer {
  for (const { sector, data } of unflushed) fs.writeSync(image, data, 0, data.length, sector * SECTOR)
  unflushed = []
  newest.clear()
  return EMPTY_BUFFER
}

/** Sometimes nothing of the cache survives, sometimes all of it, mostly a part. */
function cutPower(): void {
  isCut = true
  const share = Math.random() * 1.5 - 0.25
  let [lostSectors, keptSectors] = [0, 0]
  for (const { sector, data } of unflushed) {
    for (let n = 0; n < data.length / SECTOR; n++) {
      if (Math.random() < share) {
        fs.writeSync(image, data, n * SECTOR, SECTOR, (sector + n) * SECTOR)
        keptSectors++
      } else lostSectors++
    }
  }
  // From now on every request of the file system fails, as the connection to this program does.
  process.send?.({ lostSectors, keptSectors } satisfies DiskMessage, () =>
    process.kill(process.pid, 'SIGKILL'),
  )
}

mount()
await answerAll()
