/** Splits a text into user-perceived characters: a letter with its marks, an emoji of several parts. */
export const splitGraphemes = (words: string): string[] =>
  [...segmenter.segment(words.normalize('NFC'))].map(({ segment }) => segment)

/**
 * The grapheme without code points that the font lacks; empty if it lacks the first one. Invisible ones, such as
 * joiners, need no glyph.
 */
export function dropMissingGlyphs(grapheme: string, hasGlyph: (character: string) => boolean): string {
  const [first = '', ...marks] = grapheme
  if (!hasGlyph(first)) return /^\s/.test(first) ? ' ' : ''
  return first + marks.filter((mark) => isInvisible(mark) || hasGlyph(mark)).join('')
}

export const isInvisible = (character: string) => /\p{Default_Ignorable_Code_Point}/u.test(character)

/** Allows line breaks between the words of scripts that write no spaces, as browsers do. */
export const withLineBreaks = (words: string): string =>
  words.replace(UNSPACED_SCRIPTS, (run) =>
    [...wordSegmenter.segment(run)].map(({ segment }) => segment).join(ZERO_WIDTH_SPACE),
  )

const UNSPACED_SCRIPTS =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}][\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]*/gu
const ZERO_WIDTH_SPACE = '\u200b'
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })
