/** What a reader takes for one character: a letter with its marks, an emoji of several parts. */
export const graphemesOf = (words: string): string[] =>
  [...segmenter.segment(words.normalize('NFC'))].map(({ segment }) => segment)

/**
 * The grapheme without what would be drawn as an empty box: nothing is left without a glyph for its first code point,
 * and of the others those that are in the same font. Fonts need no glyph for what is never seen, as joiners.
 */
export function withGlyphs(grapheme: string, hasGlyph: (sign: string) => boolean): string {
  const [first = '', ...marks] = grapheme
  if (!hasGlyph(first)) return /^\s/.test(first) ? ' ' : ''
  return first + marks.filter((mark) => IS_IGNORABLE.test(mark) || hasGlyph(mark)).join('')
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const IS_IGNORABLE = /\p{Default_Ignorable_Code_Point}/u
