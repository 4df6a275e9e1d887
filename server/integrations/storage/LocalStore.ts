import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ADDRESS_SECONDS } from '../../../contract/uploads.ts'
import { HttpError } from '../../http/HttpError.ts'
import type { IncomingBytes } from '../../http/incomingBytes.ts'
import { DiskReserve, diskFull } from './DiskReserve.ts'
import {
  isObjectKey,
  type ObjectStore,
  type Part,
  type SignedAddress,
  type StoredObject,
  type UploadTerms,
} from './ObjectStore.ts'
import { Receiver, type WriteContent } from './Receiver.ts'
import { type Permit, type SignedQuery, signingKey, toSignedQuery, verifyPermit } from './signature.ts'

/** Milliseconds after which an arriving file of a crashed server is deleted. */
const MAX_PARTIAL_FILE_AGE = 60 * 60_000

/**
 * Objects as files below one folder, with the behaviour of S3: addresses are signed and expire after 15 minutes,
 * parts have ETags. A file gets its name when it is complete, so a partial file is never read.
 */
export class LocalStore implements ObjectStore {
  readonly disk = this
  readonly #folder: string
  readonly #address: (key: string) => string
  readonly #keepFile: (key: string, path: string) => Promise<void>
  readonly #signingKey: Buffer
  readonly #reserve: DiskReserve
  readonly #receiver: Receiver

  /** `address` returns our own address of a key. `keepFile` puts files that arrived somewhere else. */
  constructor(
    folder: string,
    secret: string,
    address: (key: string) => string,
    keepFile?: (key: string, path: string) => Promise<void>,
  ) {
    this.#folder = folder
    this.#address = address
    this.#keepFile = keepFile ?? ((key, path) => this.#moveFile(key, path))
    this.#signingKey = signingKey(secret)
    this.#reserve = new DiskReserve(folder)
    this.#receiver = new Receiver(
      {
        listParts: (key) => this.listParts(key, basename(key)),
        put: (key, writeContent) => this.#putFile(key, writeContent),
        putPart: (key, number, writeContent, digest) => this.#putPart(key, number, writeContent, digest),
      },
      this.#reserve,
    )
  }

  async signUpload(key: string, { limit, size, type }: UploadTerms): Promise<SignedAddress> {
    const address = this.#sign({ key, part: null, size, limit })
    return { ...address, headers: type ? { 'Content-Type': type } : {} }
  }

  async signForm(key: string, terms: UploadTerms): Promise<SignedAddress> {
    return this.signUpload(key, terms)
  }

  async signPart(key: string, _uploadId: string, part: number, limit: number): Promise<SignedAddress> {
    return this.#sign({ key, part, size: null, limit })
  }

  async startParts(key: string): Promise<string> {
    const name = basename(key)
    await mkdir(this.#partsOf(name), { recursive: true })
    return name
  }

  async listParts(_key: string, uploadId: string): Promise<Part[] | null> {
    const folder = this.#partsOf(uploadId)
    const names = await readdir(folder).catch(nullIfMissing)
    if (!names) return null
    const parts = await Promise.all(
      names.sort().map(async (name) => {
        const [number = '', hash = ''] = name.split('-')
        const file = await stat(join(folder, name)).catch(nullIfMissing)
        return file ? [{ number: Number(number), size: file.size, etag: `"${hash}"` }] : []
      }),
    )
    return parts.flat()
  }

  async joinParts(key: string, uploadId: string, parts: Pick<Part, 'number' | 'etag'>[]): Promise<boolean> {
    const arrived = new Map((await this.listParts(key, uploadId))?.map((part) => [part.number, part]))
    if (parts.some(({ number, etag }) => withoutQuotes(arrived.get(number)?.etag) !== withoutQuotes(etag)))
      return false
    const files = parts.map(({ number, etag }) =>
      join(this.#partsOf(uploadId), partName(number, withoutQuotes(etag))),
    )
    await this.#reserve.requireSpace(
      parts.reduce((sum, { number }) => sum + (arrived.get(number)?.size ?? 0), 0),
    )
    try {
      await this.#putFile(key, async (file) => {
        for (const path of files)
          for await (const chunk of createReadStream(path)) await file.appendFile(chunk)
      })
    } catch (error) {
      // A part was sent again, or the upload ended, while the parts were read.
      if (isMissing(error)) return false
      throw error
    }
    await this.abortParts(key, uploadId)
    return true
  }

  async abortParts(_key: string, uploadId: string): Promise<void> {
    await rm(this.#partsOf(uploadId), { recursive: true, force: true })
  }

  async measure(key: string): Promise<number | null> {
    return (await stat(this.#pathOf(key)).catch(nullIfMissing))?.size ?? null
  }

  async read(key: string): Promise<StoredObject | null> {
    const file = await open(this.#pathOf(key)).catch(nullIfMissing)
    if (!file) return null
    const { size } = await file.stat()
    return { size, stream: file.createReadStream() }
  }

  async withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T | null> {
    return (await this.measure(key)) === null ? null : use(this.#pathOf(key))
  }

  /** Calls `use` with the path of a file that has this content meanwhile. */
  async withContent<T>({ stream, size }: StoredObject, use: (path: string) => Promise<T>): Promise<T> {
    await this.#reserve.requireSpace(size)
    const path = await this.#writeTemporary(async (file) => {
      for await (const chunk of stream) await file.appendFile(chunk)
    })
    return use(path).finally(() => rm(path, { force: true }))
  }

  async write(key: string, content: Buffer): Promise<void> {
    await this.#putFile(key, (file) => file.appendFile(content))
  }

  async remove(key: string): Promise<void> {
    const path = this.#pathOf(key)
    await rm(path, { force: true })
    // The last file's folder is deleted with it.
    await rmdir(dirname(path)).catch(() => {})
  }

  /**
   * What a signed address allows. @throws HttpError 403 when the signature is invalid or has expired.
   */
  verifyAddress(key: string, query: SignedQuery): Permit {
    const permit = isObjectKey(key) ? verifyPermit(this.#signingKey, key, query) : null
    if (!permit) throw new HttpError(403, 'This address was not signed by this server.')
    if (permit.expires * 1000 < Date.now()) throw new ExpiredAddress()
    return permit
  }

  /** Receives a request to a signed address. @throws as `Receiver.receive` */
  receive(permit: Permit, bytes: IncomingBytes): Promise<{ etag: string; size: number }> {
    return this.#receiver.receive(permit, bytes)
  }

  /** Deletes partial files of a crashed server. */
  async sweep(): Promise<void> {
    const folder = join(this.#folder, 'arriving')
    for (const name of (await readdir(folder).catch(nullIfMissing)) ?? []) {
      const path = join(folder, name)
      const age = Date.now() - ((await stat(path).catch(nullIfMissing))?.mtimeMs ?? Date.now())
      if (age > MAX_PARTIAL_FILE_AGE) await rm(path, { force: true })
    }
  }

  /** A part sent again replaces the previous one. */
  async #putPart(
    key: string,
    number: number,
    writeContent: WriteContent,
    digest: () => string,
  ): Promise<void> {
    const folder = this.#partsOf(basename(key))
    const temporary = await this.#writeTemporary(writeContent)
    try {
      const name = partName(number, digest())
      const before = (await readdir(folder)).filter((other) => Number(other.split('-')[0]) === number)
      for (const other of before) await rm(join(folder, other), { force: true })
      await rename(temporary, join(folder, name))
    } catch (error) {
      await rm(temporary, { force: true })
      // The upload was aborted while its part arrived.
      if (isMissing(error)) throw new HttpError(404, 'There is no such upload.')
      throw error
    }
  }

  async #putFile(key: string, writeContent: WriteContent): Promise<void> {
    const temporary = await this.#writeTemporary(writeContent)
    try {
      await this.#keepFile(key, temporary)
    } catch (error) {
      throw isFull(error) ? diskFull() : error
    } finally {
      await rm(temporary, { force: true })
    }
  }

  async #moveFile(key: string, temporary: string): Promise<void> {
    const path = this.#pathOf(key)
    const move = async () => {
      await mkdir(dirname(path), { recursive: true })
      await rename(temporary, path)
    }
    // Deleting another file may have deleted the folder between the two steps.
    await move().catch((error: unknown) => (isMissing(error) ? move() : Promise.reject(error)))
  }

  /** Creates a file with what `fill` writes; deletes it on failure. */
  async #writeTemporary(writeContent: WriteContent): Promise<string> {
    const folder = join(this.#folder, 'arriving')
    await mkdir(folder, { recursive: true })
    const path = join(folder, randomBytes(16).toString('hex'))
    const file = await open(path, 'wx', 0o600)
    try {
      await writeContent(file)
      await file.close()
      return path
    } catch (error) {
      await file.close().catch(() => {})
      await rm(path, { force: true })
      throw isFull(error) ? diskFull() : error
    }
  }

  #sign(permit: Omit<Permit, 'expires'>): SignedAddress {
    const query = toSignedQuery(this.#signingKey, {
      ...permit,
      expires: Math.floor(Date.now() / 1000) + ADDRESS_SECONDS,
    })
    const url = `${this.#address(permit.key)}?${new URLSearchParams(query)}`
    return { method: 'PUT', url, fields: {}, headers: {}, expires: ADDRESS_SECONDS }
  }

  #pathOf(key: string): string {
    if (!isObjectKey(key)) throw new Error('The server did not create this key.')
    return join(this.#folder, key)
  }

  #partsOf(uploadId: string): string {
    return join(this.#folder, 'parts', basename(uploadId))
  }
}

/** The signature is valid, but expired. */
export class ExpiredAddress extends HttpError {
  constructor() {
    super(403, 'Request has expired. Please try again.')
  }
}

/** Sorts like its number. */
const partName = (number: number, hash: string) => `${String(number).padStart(5, '0')}-${hash}`

const withoutQuotes = (etag: string | undefined) => etag?.replaceAll('"', '') ?? ''

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'
const isFull = (error: unknown) => codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT'

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}
