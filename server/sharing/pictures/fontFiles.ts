import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { type CodePoints, readCodePoints } from './codePoints.ts'
import type { Family, Weight } from './families.ts'

/** A part of a family, with one file per weight; all weights have the same characters. */
export interface FontFile {
  name: string
  family: string
  codePoints: CodePoints
  weights: { weight: Weight; path: string }[]
}

/** The files of a family. They are opened once, only to read which characters they have. */
export function filesOf(family: Family): FontFile[] {
  const known = filesByFamily.get(family.name)
  if (known) return known
  const files = findFiles(family)
  filesByFamily.set(family.name, files)
  return files
}

/** The same Buffer until the cache is cleared, because satori parses every Buffer once. */
export function readFont(path: string): Buffer {
  const known = contents.get(path)
  if (known) return known
  const content = readFileSync(path)
  contents.set(path, content)
  contentBytes += content.length
  return content
}

/**
 * Satori caches every font uncompressed, twice, and the outline of every drawn glyph with its font: 10 KB for a Han
 * character.
 */
export function forgetFontsWhenFull(): void {
  if (getHeapStatistics().used_heap_size <= MOST_HEAP && contentBytes <= MOST_CONTENT) return
  contents.clear()
  contentBytes = 0
}

const MOST_HEAP = 96 * 1024 * 1024

/** Compressed bytes: about a hundred files. */
const MOST_CONTENT = 8 * 1024 * 1024

function findFiles({ name, weights = [700], sliced }: Family): FontFile[] {
  const folder = join(dirname(require.resolve(`@fontsource/${name}/package.json`)), 'files')
  const fileNames = new Set(readdirSync(folder))
  const fileNameOf = (part: string, weight: Weight) => `${part}-${weight}-normal.woff`
  const parts = [...fileNames].flatMap((file) => /^(.+)-\d+-normal\.woff$/.exec(file)?.[1] ?? [])
  return [...new Set(parts)]
    .filter((part) => !sliced || /-\d+$/.test(part))
    .map((part) => {
      const present = weights.filter((weight) => fileNames.has(fileNameOf(part, weight)))
      const [first = 400, ...others] = present
      const pathOf = (weight: Weight) => join(folder, fileNameOf(part, weight))
      return {
        name: part,
        family: name,
        codePoints: readCodePoints(pathOf(first)),
        weights: [first, ...others].map((weight) => ({ weight, path: pathOf(weight) })),
      }
    })
}

const filesByFamily = new Map<string, FontFile[]>()
const contents = new Map<string, Buffer>()
let contentBytes = 0
const require = createRequire(import.meta.url)
