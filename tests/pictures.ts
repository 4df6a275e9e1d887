import { randomFillSync } from 'node:crypto'
import sharp from 'sharp'

export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif'

/** A picture of noise, as hard to compress as a photograph; the same numbers twice make two different pictures. */
export async function makePicture(
  format: PictureFormat,
  { width = 320, height = 240 } = {},
): Promise<Buffer> {
  const pixels = randomFillSync(Buffer.alloc(width * height * 3))
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer()
}

/** A JPEG like a phone's: rotated, with the place where it was taken. Upright its left half is red. */
export async function makePhonePicture(): Promise<Buffer> {
  const half = { create: { width: 200, height: 100, channels: 3 as const, background: '#0000ff' } }
  return sharp({ create: { width: 200, height: 200, channels: 3, background: '#ff0000' } })
    .composite([{ input: await sharp(half).png().toBuffer(), left: 0, top: 0 }])
    .jpeg()
    .withExif({
      IFD0: { Make: 'SecretPhone', Orientation: '6' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 12/1 30/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer()
}

/** One colour: any number of pixels in few bytes. */
export function makePlainPicture(
  width: number,
  height: number,
  { interlaced = false } = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#336699' }, limitInputPixels: false })
    .png({ progressive: interlaced })
    .toBuffer()
}

/** Of a colour such as `#778899`, by WCAG 2.2. */
export function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
