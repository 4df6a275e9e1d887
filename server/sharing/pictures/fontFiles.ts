import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { inflateSync } from 'node:zlib'
import { packagePath } from '../../packagePath.ts'
import type { FontFamily, FontWeight } from './families.ts'

/** A part of a family, with one file per weight; all weights have the same characters. */
export interface FontFile {
  name: string
  family: string
  codePoints: CodePoints
  weights: { weight: FontWeight; path: string }[]
}

/** The files of a family. Each is opened once, to read which characters it has. */
export function fontFilesOf(family: FontFamily): FontFile[] {
  const cached = filesByFamily.get(family.name)
  if (cached) return cached
  const files = listFontFiles(family)
  filesByFamily.set(family.name, files)
  return files
}

/** Returns the same Buffer until the cache is cleared, because satori parses each Buffer once. */
export function readFont(path: string): Buffer {
  const cached = contents.get(path)
  if (cached) return cached
  const content = readFileSync(path)
  contents.set(path, content)
  contentBytes += content.length
  return content
}

/** Satori caches every font twice, uncompressed, and the outline of every drawn glyph: 10 KB for a Han character. */
export function evictFontsWhenFull(): void {
  if (getHeapStatistics().used_heap_size <= MAX_HEAP_BYTES && contentBytes <= MAX_FONT_BYTES) return
  contents.clear()
  contentBytes = 0
}

const MAX_HEAP_BYTES = 96 * 1024 * 1024

/** Compressed bytes: enough for all fonts but one of those with Han characters. */
const MAX_FONT_BYTES = 12 * 1024 * 1024

function listFontFiles({ name }: FontFamily): FontFile[] {
  const folder = join(packagePath('server/sharing/pictures/fonts'), name)
  const weights = new Map<string, FontFile['weights']>()
  for (const file of readdirSync(folder).sort()) {
    const [, part, weight] = /^(.+)-(\d+)\.woff$/.exec(file) ?? []
    if (!part) continue
    const others = weights.get(part) ?? []
    weights.set(part, [...others, { weight: Number(weight) as FontWeight, path: join(folder, file) }])
  }
  return [...weights].map(([part, files]) => ({
    name: `${name}-${part}`,
    family: name,
    codePoints: readCodePoints(files[0]?.path ?? folder),
    weights: files,
  }))
}

const filesByFamily = new Map<string, FontFile[]>()
const contents = new Map<string, Buffer>()
let contentBytes = 0

/** Sorted, as pairs of the first and the last of each range. */
export type CodePoints = Uint32Array

/**
 * The code points that the `cmap` table of a WOFF file maps to glyphs. A package's `unicode-range` is not reliable:
 * its files lack some characters and have others. Reads only this table, because there are hundreds of files.
 * https://www.w3.org/TR/WOFF/, https://learn.microsoft.com/typography/opentype/spec/cmap
 */
export function readCodePoints(path: string): CodePoints {
  const file = openSync(path, 'r')
  try {
    const read = (start: number, length: number) => {
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, start)
      return bytes
    }
    const header = read(0, 44)
    if (header.toString('latin1', 0, 4) !== 'wOFF') throw new Error(`${path} is not a WOFF file.`)
    const directory = read(44, header.readUInt16BE(12) * 20)
    for (let at = 0; at < directory.length; at += 20) {
      if (directory.toString('latin1', at, at + 4) !== 'cmap') continue
      const packed = read(directory.readUInt32BE(at + 4), directory.readUInt32BE(at + 8))
      return codePointsOf(packed.length < directory.readUInt32BE(at + 12) ? inflateSync(packed) : packed)
    }
    throw new Error(`${path} has no cmap table.`)
  } finally {
    closeSync(file)
  }
}

export function hasCodePoint(ranges: CodePoints, code: number): boolean {
  let [low, high] = [0, ranges.length / 2]
  while (low < high) {
    const middle = (low + high) >> 1
    if (code > (ranges[middle * 2 + 1] ?? 0)) low = middle + 1
    else high = middle
  }
  return low * 2 < ranges.length && code >= (ranges[low * 2] ?? 0)
}

function codePointsOf(cmap: Buffer): CodePoints {
  // The last table for Unicode is the largest, and the one that opentype.js uses.
  for (let at = 4 + (cmap.readUInt16BE(2) - 1) * 8; at >= 4; at -= 8) {
    const [platform, encoding] = [cmap.readUInt16BE(at), cmap.readUInt16BE(at + 2)]
    const isUnicode = platform === 0 ? encoding <= 4 : platform === 3 && (encoding === 1 || encoding === 10)
    if (!isUnicode) continue
    const table = cmap.subarray(cmap.readUInt32BE(at + 4))
    const format = table.readUInt16BE(0)
    if (format === 12) return readGroups(table)
    if (format === 4) return readSegments(table)
  }
  throw new Error('There is no cmap for Unicode.')
}

/** Format 12: groups of consecutive code points with consecutive glyphs. */
function readGroups(table: Buffer): CodePoints {
  const groups = Array.from({ length: table.readUInt32BE(12) }, (_, group) => 16 + group * 12)
  return Uint32Array.from(groups.flatMap((at) => [table.readUInt32BE(at), table.readUInt32BE(at + 4)]))
}

/** Format 4: segments, in which single code points may lack a glyph. */
function readSegments(table: Buffer): CodePoints {
  const size = table.readUInt16BE(6)
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + size * 2, 16 + size * 3]
  const ranges: number[] = []
  for (let at = 0; at < size; at += 2) {
    const offset = table.readUInt16BE(offsets + at)
    const first = table.readUInt16BE(starts + at)
    const last = Math.min(table.readUInt16BE(ends + at), 0xfffe)
    for (let code = first; code <= last; code++) {
      const glyph =
        offset === 0
          ? code + table.readUInt16BE(deltas + at)
          : table.readUInt16BE(offsets + at + offset + (code - first) * 2)
      if ((glyph & 0xffff) === 0) continue
      if (ranges.at(-1) === code - 1) ranges[ranges.length - 1] = code
      else ranges.push(code, code)
    }
  }
  return Uint32Array.from(ranges)
}
