import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { type CodePoints, readCodePoints } from './codePoints.ts'

export type Weight = 400 | 500 | 700 | 800

/** A package of @fontsource and the weights of it that pictures use. */
export interface Family {
  name: string
  weights: [Weight, ...Weight[]]
  /** Text of another use asks such a family last. */
  use?: 'Display' | 'Text'
  /** The package also has the whole family in small numbered files, of which a text needs few. */
  sliced?: true
}

/** A part of a family, in one file for each weight, which all have the same signs. */
export interface FontFile {
  name: string
  family: string
  codePoints: CodePoints
  weights: { weight: Weight; path: string }[]
}

/** The files of a family. They are opened once, and only as far as to tell which signs they have. */
export function filesOf(family: Family): FontFile[] {
  const known = filesByFamily.get(family.name)
  if (known) return known
  const files = findFiles(family)
  filesByFamily.set(family.name, files)
  return files
}

/** The same value until fonts are forgotten: satori reads a font once for each. */
export function readFont(path: string): Buffer {
  const known = contents.get(path)
  if (known) return known
  const content = readFileSync(path)
  contents.set(path, content)
  return content
}

/** Satori keeps the outline of every glyph that it drew as long as the font: 10 KB for a Han sign. */
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
