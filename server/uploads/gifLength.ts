/**
 * The length of a GIF up to its trailer, found by walking its blocks (GIF89a, Appendix A); null when it is truncated.
 * Bytes after the trailer are not part of the picture, and browsers have been made to run them.
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
