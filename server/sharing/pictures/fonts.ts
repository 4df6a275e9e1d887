import { hasCodePoint } from './codePoints.ts'
import { type Family, type FontFile, filesOf, readFont, type Weight } from './fontFiles.ts'

const JAPANESE: Family = { name: 'biz-udpgothic', weights: [700], sliced: true }
const CHINESE: Family = { name: 'noto-sans-sc', weights: [700], sliced: true }

/**
 * In lookup order; a family is loaded when those before it lack a character. To support another script, add a line
 * and its package. Without a bold weight satori thickens the outlines.
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

/** The fonts that a text needs. */
export interface FontSet {
  fonts: Font[]
  /** The families of `Display` and `Text` in `font-family`. */
  families: Record<Use, string>
  /** The file from which satori takes a character: the first that has it. */
  find(use: Use, sign: string): FontFile | undefined
}

export interface Font {
  name: string
  weight: Weight
  style: 'normal'
  data: Buffer
}

/** The fonts for these characters, with only the files that have one of them. */
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

/** The file of the first family that has a character. */
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

/** Control characters, surrogates and unassigned code points. */
const HAS_NO_GLYPH = /^\p{C}/u

/**
 * Chinese and Japanese draw many Han characters differently. A text without kana and with a character that the
 * Japanese font lacks is Chinese.
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
  // Satori's ellipsis for a text that it cuts.
  const files = ['A', '…', ...signs].flatMap((sign) => findFile(sign, families) ?? [])
  const ranks = families.map(({ name }) => name)
  return [...new Set(files)].sort((a, b) => ranks.indexOf(a.family) - ranks.indexOf(b.family))
}

const isFor = (family: Family, use: Use) => (family.use ?? use) === use

const namesOf = (files: FontFile[]) => files.map(({ name }) => name).join(', ')
