import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { type CodePoints, readCodePoints } from './codePoints.ts'

export type Weight = 400 | 500 | 700 | 800

/** A @fontsource package and the weights that pictures use. */
export interface Family {
  name: string
  weights: [Weight, ...Weight[]]
  /** Text of the other use tries this family last. */
  use?: 'Display' | 'Text'
  /** The package also has the family in many small numbered files, of which a text needs few. */
  sliced?: true
}

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
  return content
}

/** Satori caches the outline of every drawn glyph with its font: 10 KB for a Han character. */
export function forgetFontsWhenFull(): void {
  if (getHeapStatistics().used_heap_size > MOST_HEAP) contents.clear()
}

const MOST_HEAP = 96 * 1024 * 1024

function findFiles({ name, weights, sliced }: Family): FontFile[] {
  const folder = join(dirname(require.resolve(`@fontsource/${name}/package.json`)), 'files')
  const end = `-${weights[0]}-normal.woff`
  const start = `${name}-`
  return readdirSync(folder)
    .filter((file) => file.startsWith(start) && file.endsWith(end))
    .map((file) => file.slice(start.length, -end.length))
    .filter((subset) => !sliced || /^\d+$/.test(subset))
    .map((subset) => {
      const pathOf = (weight: Weight) => join(folder, `${start}${subset}-${weight}-normal.woff`)
      return {
        name: `${start}${subset}`,
        family: name,
        codePoints: readCodePoints(pathOf(weights[0])),
        weights: weights.map((weight) => ({ weight, path: pathOf(weight) })),
      }
    })
}

const filesByFamily = new Map<string, FontFile[]>()
const contents = new Map<string, Buffer>()
const require = createRequire(import.meta.url)
