import { hasCodePoint } from './codePoints.ts'
import { type Family, type FontFile, filesOf, readFont, type Weight } from './fontFiles.ts'

const JAPANESE: Family = { name: 'biz-udpgothic', weights: [700], sliced: true }
const CHINESE: Family = { name: 'noto-sans-sc', weights: [700], sliced: true }

/**
 * In the order in which they are asked for a sign; a family is opened when those before it lack one. One more script
 * is one more line, and its package. Without a weight for bold text satori thickens the outlines.
 */
const FAMILIES: Family[] = [
  { name: 'anybody', weights: [800], use: 'Display' },
  { name: 'instrument-sans', weights: [500, 700], use: 'Text' },
  { name: 'noto-sans', weights: [700, 800] },
  { name: 'noto-sans-symbols', weights: [700, 800] },
  { name: 'noto-sans-math', weights: [400] },
  { name: 'noto-sans-symbols-2', weights: [400] },
  { name: 'noto-music', weights: [400] },
  { name: 'noto-sans-hebrew', weights: [700, 800] },
  { name: 'cairo', weights: [700, 800] },
  { name: 'noto-sans-armenian', weights: [700, 800] },
  { name: 'noto-sans-bengali', weights: [700, 800] },
  { name: 'noto-sans-georgian', weights: [700, 800] },
  { name: 'noto-sans-tamil', weights: [700, 800] },
  { name: 'noto-sans-thai', weights: [700, 800] },
  JAPANESE,
  { name: 'nanum-gothic', weights: [800], sliced: true },
  CHINESE,
]

export type Use = 'Display' | 'Text'

/** The fonts that some words need. */
export interface FontSet {
  fonts: Font[]
  /** What stands for `Display` and `Text` in `font-family`. */
  families: Record<Use, string>
  /** The file that satori takes a sign from: the first that has it. */
  find(use: Use, sign: string): FontFile | undefined
}

export interface Font {
  name: string
  weight: Weight
  style: 'normal'
  data: Buffer
}

/** The fonts for these signs, of each family only the files that have one of them. */
export function fontsFor(signs: ReadonlySet<string>): FontSet {
  const order = orderFor(signs)
  const needed = { Display: neededFiles(signs, order, 'Display'), Text: neededFiles(signs, order, 'Text') }
  const files = [...new Set([...needed.Display, ...needed.Text])]
  return {
    fonts: files.flatMap(fontsOf),
    families: { Display: namesOf(needed.Display), Text: namesOf(needed.Text) },
    find: (use, sign) => needed[use].find((file) => hasSign(file, sign)),
  }
}

/** The file of the first family that has a sign. */
export function findFile(sign: string, families: readonly Family[] = FAMILIES): FontFile | undefined {
  if (HAS_NO_GLYPH.test(sign)) return undefined
  for (const family of families) {
    const file = filesOf(family).find((file) => hasSign(file, sign))
    if (file) return file
  }
  return undefined
}

export const hasSign = ({ codePoints }: FontFile, sign: string) =>
  hasCodePoint(codePoints, sign.codePointAt(0) ?? 0)

export const fontsOf = ({ name, weights }: FontFile): Font[] =>
  weights.map(({ weight, path }) => ({ name, weight, style: 'normal', data: readFont(path) }))

/** Control characters, halves of characters and what Unicode has not assigned. */
const HAS_NO_GLYPH = /^\p{C}/u

/**
 * Chinese and Japanese write many Han signs in different shapes. Words without kana and with a sign that the Japanese
 * font lacks are Chinese.
 */
function orderFor(signs: ReadonlySet<string>): Family[] {
  const all = [...signs]
  if (all.some((sign) => KANA.test(sign))) return FAMILIES
  const isChinese = all.some((sign) => HAN.test(sign) && !findFile(sign, [JAPANESE]))
  return isChinese ? FAMILIES.toSpliced(FAMILIES.indexOf(JAPANESE), 0, CHINESE) : FAMILIES
}

const KANA = /^[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HAN = /^\p{Script=Han}/u

function neededFiles(signs: ReadonlySet<string>, order: readonly Family[], use: Use): FontFile[] {
  const families = [
    ...order.filter((family) => isFor(family, use)),
    ...order.filter((family) => !isFor(family, use)),
  ]
  // The dots are what satori puts at the end of a text that it cuts.
  const files = ['A', '…', ...signs].flatMap((sign) => findFile(sign, families) ?? [])
  const ranks = families.map(({ name }) => name)
  return [...new Set(files)].sort((a, b) => ranks.indexOf(a.family) - ranks.indexOf(b.family))
}

const isFor = (family: Family, use: Use) => (family.use ?? use) === use

const namesOf = (files: FontFile[]) => files.map(({ name }) => name).join(', ')
