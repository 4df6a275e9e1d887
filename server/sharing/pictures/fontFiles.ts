import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { packagePath } from '../../packagePath.ts'
import { type CodePoints, readCodePoints } from './codePoints.ts'
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
  const known = filesByFamily.get(family.name)
  if (known) return known
  const files = listFontFiles(family)
  filesByFamily.set(family.name, files)
  return files
}

/** Returns the same Buffer until the cache is cleared, because satori parses each Buffer once. */
export function readFont(path: string): Buffer {
  const known = contents.get(path)
  if (known) return known
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
    const known = weights.get(part) ?? []
    weights.set(part, [...known, { weight: Number(weight) as FontWeight, path: join(folder, file) }])
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
