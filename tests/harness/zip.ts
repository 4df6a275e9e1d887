import { crc32, deflateRawSync } from 'node:zlib'

/** An archive, whose directory may lie about the size of each file and their count. */
export function zip(
  files: Record<string, string | Buffer>,
  lies: { flags?: number; size?: number; count?: number } = {},
) {
  const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
  const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
  let parts = Buffer.alloc(0)
  let directory = Buffer.alloc(0)
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const sizes = u32(crc32(content), packed.length, lies.size ?? Buffer.byteLength(content))
    const header = Buffer.concat([u16(0, lies.flags ?? 0, 8, 0, 0), sizes, u16(Buffer.byteLength(name), 0)])
    const place = Buffer.concat([u16(0, 0, 0, 0, 0), u32(parts.length)])
    directory = Buffer.concat([directory, Buffer.from('PK\x01\x02\x14\0'), header, place, Buffer.from(name)])
    parts = Buffer.concat([parts, Buffer.from('PK\x03\x04'), header, Buffer.from(name), packed])
  }
  const count = lies.count ?? Object.keys(files).length
  const end = [u16(0, 0, count, count), u32(directory.length, parts.length), u16(0)]
  return Buffer.concat([parts, directory, Buffer.from('PK\x05\x06'), ...end])
}
