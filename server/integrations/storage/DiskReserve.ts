import { mkdir, statfs } from 'node:fs/promises'
import { HttpError } from '../../http/HttpError.ts'

/** Bytes that stay free for the database on the same disk, or a twentieth of a small disk. */
const MAX_RESERVE_BYTES = 1024 ** 3

export const reserveBytes = ({ blocks, bsize }: { blocks: number; bsize: number }) =>
  Math.min(MAX_RESERVE_BYTES, (blocks * bsize) / 20)

/** Bytes that all uploads together write between two checks of the disk. */
const CHECK_INTERVAL_BYTES = 256 * 1024

/** Keeps uploads from filling the disk of `folder`, when they begin and while they arrive. */
export class DiskReserve {
  readonly #folder: string
  #uncheckedBytes = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws HttpError 507 when that many more bytes would use up the reserve. */
  async requireSpace(bytes: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const disk = await statfs(this.#folder)
    if (disk.bavail * disk.bsize - bytes < reserveBytes(disk)) throw diskFull()
  }

  /** Call it with the number of bytes written. @throws HttpError 507 when the reserve is used up */
  async countWritten(bytes: number): Promise<void> {
    this.#uncheckedBytes += bytes
    if (this.#uncheckedBytes < CHECK_INTERVAL_BYTES) return
    this.#uncheckedBytes = 0
    await this.requireSpace(0)
  }
}

export const diskFull = () =>
  new HttpError(507, 'The server has no space for uploads right now. Please try again later.')
