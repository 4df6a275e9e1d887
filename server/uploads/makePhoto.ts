import { fileTypeFromBuffer } from 'file-type'
import type { Sharp, SharpOptions } from 'sharp'
import { PHOTO_TYPES } from '../../contract/uploads.ts'
import { HttpError } from '../http/HttpError.ts'
import { FairQueue } from '../http/limits/FairQueue.ts'

/**
 * This process makes one photo at a time. Queued photos are in the store, not in memory. libvips may hang for good,
 * once in some thousand pictures: then the other photos must not wait.
 */
export const photoQueue = new FairQueue({ waitingPerKey: 2, waiting: 300, retryAfter: 10, timeout: 60_000 })

/** Pixel limit of a progressive JPEG, which takes 75 MB to decode; a baseline JPEG takes a tenth. */
const MAX_PIXELS = 25_000_000

/**
 * Pixel limit of an interlaced PNG or a GIF, decoded as a whole at 4 bytes per pixel: 50 MB. No usual photo is
 * larger.
 */
const MAX_PIXELS_DECODED_AT_ONCE = 12_500_000

/** Seconds to process one picture. */
const MAX_PROCESSING_SECONDS = 20

/**
 * The square pictures of a profile photo or a cover, upright, as WebP, without anything else from the file, such as its
 * location or a script. The type of the file is detected from its content (uploads-11).
 * @throws HttpError 400 unless it is a complete PNG, JPEG, WebP or GIF of at most 25 megapixels, or 12.5 where all
 * are decoded at once
 */
export async function makePhoto<Size extends number>(
  content: Buffer,
  sizes: readonly Size[],
): Promise<Map<Size, Buffer>> {
  const found = await fileTypeFromBuffer(content).catch(() => undefined)
  if (!PHOTO_TYPES.some((type) => type === found?.mime)) throw wrongPictureType()
  if (found?.mime === 'image/gif') requireNoTrailingBytes(content)
  const sharp = await loadSharp()
  await requireMaxPixels(sharp(content, { limitInputPixels: false }))
  try {
    const side = Math.max(...sizes)
    const square = await sharp(content, READ_OPTIONS)
      .autoOrient()
      .resize(side, side, { fit: 'cover' })
      .timeout({ seconds: MAX_PROCESSING_SECONDS })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const photos = new Map<Size, Buffer>()
    for (const size of sizes) {
      photos.set(
        size,
        await sharp(square.data, { raw: square.info }).resize(size).webp(WEBP_OPTIONS).toBuffer(),
      )
    }
    return photos
  } catch {
    throw damagedPicture()
  }
}

const READ_OPTIONS: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'truncated', sequentialRead: true }
const WEBP_OPTIONS = { quality: 82, smartSubsample: true }

/** Loaded with the first photo, to save memory on servers without uploads. One thread, and no cache. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

/** Before decoding: a small file can contain a picture that fills the memory. */
async function requireMaxPixels(image: Sharp): Promise<void> {
  const { width, height, depth, format, isProgressive } = await image.metadata().catch(() => {
    throw damagedPicture()
  })
  const bytesPerSample = depth === 'uchar' ? 1 : 2
  const isDecodedAtOnce = format === 'gif' || (format === 'png' && isProgressive)
  const max = isDecodedAtOnce ? MAX_PIXELS_DECODED_AT_ONCE : MAX_PIXELS
  if (width * height * bytesPerSample > max) {
    throw new HttpError(
      400,
      `The picture has too many pixels: ${width} × ${height}. Please choose one of at most ${max / 1e6} megapixels.`,
    )
  }
}

function requireNoTrailingBytes(gif: Buffer): void {
  const length = gifLength(gif)
  if (length === null) throw damagedPicture()
  if (gif.subarray(length).some((byte) => byte !== 0)) {
    throw new HttpError(400, 'The file contains more than a picture. Please save it again as a picture.')
  }
}

const wrongPictureType = () => new HttpError(400, 'Please choose a PNG, JPEG, WebP or GIF picture.')

const damagedPicture = () =>
  new HttpError(400, 'The picture is damaged or incomplete. Please choose another one.')

/**
 * The length of a GIF up to its trailer, found by walking its blocks (GIF89a, Appendix A); null when it is truncated.
 * Bytes after the trailer are not part of the picture, and can be an attack on browsers.
 */
export function gifLength(bytes: Buffer): number | null {
  const at = (index: number) => bytes[index] ?? 0
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let position = 13 + table(at(10))
  while (position < bytes.length) {
    const kind = at(position)
    if (kind === TRAILER) return position + 1
    if (kind === EXTENSION) position += 2
    else if (kind === IMAGE) position += 11 + table(at(position + 9))
    else return null
    while (at(position) > 0) position += at(position) + 1
    position += 1
  }
  return null
}

const TRAILER = 0x3b
const EXTENSION = 0x21
const IMAGE = 0x2c
