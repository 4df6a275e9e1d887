import { type Entry, fromBufferPromise, openPromise } from 'yauzl'
import { BadInput } from '../inputErrors.ts'
import type { ReadContext } from './importItems.ts'

/** A zip of an account has some hundred files, Takeout's thousands. */
const MAX_FILES = 20_000
/** What the directory says of a file: its name, and what other systems add. Twenty times what services write. */
const MAX_NAME_BYTES = 2000
/** A zip may claim any size. Histories unpack to 10 or 20 times their size. */
const MAX_UNPACKED_BYTES = 4 * 1024 ** 3
const MAX_RATIO = 250
/** Small files may be of one row a thousand times. */
const MIN_BOMB_BYTES = 32 * 1024 ** 2

export interface Archive {
  entries: Entry[]
  /** Unpacks one file. Nothing is ever written to disk. */
  read(entry: Entry): AsyncGenerator<Buffer>
  close(): void
}

/**
 * Opens a zip, whose directory is streamed: only entries of which `isWanted` are in memory.
 * @throws BadInput when it is damaged, too large, or has a name that leads out of it.
 */
export async function openArchive(
  file: string | Buffer,
  isWanted: (entry: Entry) => boolean,
  context: Pick<ReadContext, 'unpacked'>,
): Promise<Archive> {
  const zip = await (typeof file === 'string'
    ? openPromise(file, { autoClose: false })
    : fromBufferPromise(file)
  ).catch(refuse)
  async function* read(entry: Entry): AsyncGenerator<Buffer> {
    if (entry.isEncrypted())
      throw new BadInput(
        'The archive is protected by a password. Please unpack it, and choose the file in it.',
      )
    context.unpacked += entry.uncompressedSize
    if (context.unpacked > MAX_UNPACKED_BYTES || isBomb(entry.uncompressedSize, entry.compressedSize))
      throw new BadInput(BOMB)
    // Its size is checked while it is read.
    const stream = await zip.openReadStreamPromise(entry).catch(refuse)
    try {
      yield* stream
    } catch (error) {
      refuse(error)
    }
  }
  try {
    if (zip.entryCount > MAX_FILES)
      throw new BadInput(
        `The archive has more than ${MAX_FILES.toLocaleString('en')} files. Please choose those of music.`,
      )
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) {
      const nameBytes = entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (nameBytes <= MAX_NAME_BYTES && isWanted(entry)) entries.push(entry)
    }
    return { entries, read, close: () => zip.close() }
  } catch (error) {
    zip.close()
    return refuse(error)
  }
}

/** Limits what a compressed file of `size` bytes unpacks to. */
export async function* limitUnpacked(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let unpacked = 0
  try {
    for await (const chunk of chunks) {
      unpacked += chunk.length
      if (unpacked > MAX_UNPACKED_BYTES || isBomb(unpacked, size)) throw new BadInput(BOMB)
      yield chunk
    }
  } catch (error) {
    refuse(error)
  }
}

const isBomb = (unpacked: number, packed: number) =>
  unpacked > MIN_BOMB_BYTES && unpacked > packed * MAX_RATIO

const BOMB = 'The archive unpacks to too much. Please choose the files of music in it.'

function refuse(error: unknown): never {
  if (error instanceof BadInput) throw error
  throw new BadInput(
    'The archive cannot be read: it is damaged or unsafe. Please download it again, or unpack it and choose the files in it.',
  )
}
