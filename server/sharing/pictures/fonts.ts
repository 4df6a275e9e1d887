import { FAMILIES, type FontFamily, type FontUse, type FontWeight } from './families.ts'
import { type FontFile, fontFilesOf, hasCodePoint, readFont } from './fontFiles.ts'
import { isInvisible } from './graphemes.ts'

export interface FontSet {
  fonts: Font[]
  /** For `font-family`. */
  families: string
  /** The file that has most of a grapheme, and all of it where a file does. */
  fileOf(grapheme: string): FontFile | undefined
  /** Whether satori would take the grapheme from another file than `fileOf`. */
  isMisplaced(grapheme: string): boolean
}

export interface Font {
  name: string
  weight: FontWeight
  style: 'normal'
  data: Buffer
}

/**
 * The fonts for the graphemes of a text: only the files that have one of them. `pictured` graphemes are drawn as
 * pictures.
 */
export function selectFonts(
  graphemes: readonly string[],
  use: FontUse,
  pictured: ReadonlySet<string> = new Set(),
): FontSet {
  const written = graphemes.filter((grapheme) => !pictured.has(grapheme))
  const families = orderFamilies(written, use)
  const found = new Map(written.map((grapheme) => [grapheme, findFontFile(grapheme, families)]))
  // A letter for the line height, and satori's ellipsis for cut texts.
  const extra = ['A', '…'].map((character) => findFontFile(character, families))
  const needed = new Set([...extra, ...found.values()].filter((file) => file !== undefined))
  const used = families.filter(({ name }) => [...needed].some(({ family }) => family === name))
  const files = used.flatMap(fontFilesOf).filter((file) => needed.has(file))
  const shared = sharedUnits(found)
  return {
    fonts: files.flatMap(loadFonts),
    families: files.map(({ name }) => name).join(', '),
    fileOf: (grapheme) => found.get(grapheme),
    isMisplaced(grapheme) {
      const file = found.get(grapheme)
      // Spaces may come from any font.
      if (!file || /^\s/.test(grapheme)) return false
      return shared.has(grapheme.charCodeAt(0)) || files.find((each) => hasCharacter(each, grapheme)) !== file
    },
  }
}

/** The first file that has a grapheme, else its first code point. */
export function findFontFile(
  grapheme: string,
  families: readonly FontFamily[] = FAMILIES,
): FontFile | undefined {
  if (NO_GLYPH_PATTERN.test(grapheme)) return undefined
  let partialMatch: FontFile | undefined
  for (const family of families) {
    const candidates = coversScript(family, grapheme)
      ? fontFilesOf(family).filter((file) => hasCharacter(file, grapheme))
      : []
    const fullMatch = candidates.find((file) => hasAllCharacters(file, grapheme))
    if (fullMatch) return fullMatch
    partialMatch ??= candidates[0]
  }
  return partialMatch
}

export const hasCharacter = ({ codePoints }: FontFile, character: string) =>
  hasCodePoint(codePoints, character.codePointAt(0) ?? 0)

export const loadFonts = ({ name, weights }: FontFile): Font[] =>
  weights.map(({ weight, path }) => ({ name, weight, style: 'normal', data: readFont(path) }))

/** Control characters, surrogates and unassigned code points. */
const NO_GLYPH_PATTERN = /^\p{C}/u

const hasAllCharacters = (file: FontFile, grapheme: string) =>
  [...grapheme].every((character) => isInvisible(character) || hasCharacter(file, character))

const coversScript = ({ script }: FontFamily, grapheme: string) =>
  !script || script.test(baseCharacter(grapheme))

const baseCharacter = ([base = '']: string) => base

/** The families in lookup order, but first those with all letters of a script, so that no word mixes two fonts. */
function orderFamilies(graphemes: readonly string[], use: FontUse): readonly FontFamily[] {
  const order = [
    ...FAMILIES.filter((family) => isForUse(family, use)),
    ...FAMILIES.filter((family) => !isForUse(family, use)),
  ]
  const preferred = new Set(
    WORD_SCRIPTS.map((script) => graphemes.filter((grapheme) => script.test(baseCharacter(grapheme))))
      .filter((letters) => letters.length > 0)
      .map((letters) => bestFamily(letters, order)),
  )
  return [
    ...order.filter((family) => preferred.has(family)),
    ...order.filter((family) => !preferred.has(family)),
  ]
}

/**
 * Scripts that several families have. Han characters look different in Chinese and Japanese, so kana and Han come
 * from one font.
 */
const WORD_SCRIPTS = [
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /(?![\uff00-\uffef])\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Arabic}/u,
]

/** The first family with all letters, else the one with most. */
function bestFamily(letters: readonly string[], order: readonly FontFamily[]): FontFamily | undefined {
  let [best, most]: [FontFamily | undefined, number] = [undefined, 0]
  for (const family of order) {
    const count = letters.filter((letter) => hasWholeLetter(letter, family)).length
    if (count > most) [best, most] = [family, count]
    if (most === letters.length) break
  }
  return best
}

const hasWholeLetter = (letter: string, family: FontFamily) =>
  coversScript(family, letter) && fontFilesOf(family).some((file) => hasAllCharacters(file, letter))

const isForUse = (family: FontFamily, use: FontUse) => (family.use ?? use) === use

/**
 * High surrogates that occur in several fonts. Satori chooses a font by the first UTF-16 unit, which 1,024 code
 * points above U+FFFF share.
 */
function sharedUnits(found: ReadonlyMap<string, FontFile | undefined>): Set<number> {
  const files = new Map<number, Set<FontFile>>()
  for (const [grapheme, file] of found) {
    const unit = grapheme.charCodeAt(0)
    if (!file || unit < 0xd800 || unit > 0xdbff) continue
    files.set(unit, (files.get(unit) ?? new Set()).add(file))
  }
  return new Set([...files].filter(([, { size }]) => size > 1).map(([unit]) => unit))
}
