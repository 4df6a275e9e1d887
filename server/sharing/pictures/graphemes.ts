/** User-perceived characters: a letter with its marks, an emoji of several parts. */
export const graphemesOf = (words: string): string[] =>
  [...segmenter.segment(words.normalize('NFC'))].map(({ segment }) => segment)

/**
 * The grapheme without code points that would be drawn as an empty box: nothing is left if its first code point has
 * no glyph, and of the others those in the same font. Invisible ones, such as joiners, need no glyph.
 */
export function withGlyphs(grapheme: string, hasGlyph: (sign: string) => boolean): string {
  const [first = '', ...marks] = grapheme
  if (!hasGlyph(first)) return /^\s/.test(first) ? ' ' : ''
  return first + marks.filter((mark) => IS_IGNORABLE.test(mark) || hasGlyph(mark)).join('')
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const IS_IGNORABLE = /\p{Default_Ignorable_Code_Point}/u
