import * as z from 'zod/mini'

/**
 * Typed text on one line, composed (NFC), without invisible and bidirectional control characters, which could hide parts of a name or
 * reverse the text around it. NUL stays, and is rejected later.
 */
export const Line = z.string().check(z.overwrite(cleanLine))

/** Typed text of several lines, by the same rule. */
export const Lines = z.string().check(z.overwrite(cleanLines))

/** A line that is not empty. */
export const VisibleLine = Line.check(z.minLength(1, 'is missing'))

/** The characters of a text, as limits and the database count them: an emoji is at least one, not two. */
export const charactersOf = (text: string): string[] => [...text]

/** Limits the characters of a text. */
export const maxCharacters = (max: number) => z.maxLength(max, `must have at most ${max} characters`)

/**
 * Line breaks, tabs, other control characters and letters that look empty become spaces. What has no visible character
 * is empty.
 */
export function cleanLine(text: string): string {
  const line = removeInvisible(text)
    .replace(/([^\P{Cc}\0]|\p{Zl}|\p{Zp}|[\u2800\u{1D159}\u{13441}\u{13442}])+/gu, ' ')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}\p{Surrogate}\0]/u.test(line) ? line : ''
}

export function cleanLines(text: string): string {
  return removeInvisible(text).replace(/[^\P{Cc}\0\t\n\r]/gu, '')
}

/**
 * Characters that Unicode calls ignorable, including bidirectional ones, those of annotations, and what is no character.
 * Some belong to the character before them and stay: joiners of emoji and of scripts that use them (Persian, Hindi …),
 * variation selectors, Mongolian vowel separators, and the tags of regional flags.
 */
function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, (sign) => (sign.startsWith('\u{1F3F4}') ? sign : '')).normalize('NFC')
}

const JOINING_SCRIPTS = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mand', 'Mong', 'Adlm', 'Rohg'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Tibt', 'Mymr'],
  ...['Phag', 'Bali', 'Java'],
].map((script) => `\\p{scx=${script}}`)

const VISIBLE_EXCEPTIONS = [
  // A non-joiner at the end of a word changes nothing that can be seen.
  `(?<=[${JOINING_SCRIPTS.join('')}])(?:\\u200D|\\u200C(?=[\\u200C\\u200D]*[\\p{L}\\p{M}]))`,
  '(?<=\\p{scx=Mong})\\u180E(?=\\p{scx=Mong})',
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
  // Latin, Greek and Cyrillic letters have no variants.
  '(?<=(?!\\p{sc=Latn}|\\p{sc=Grek}|\\p{sc=Cyrl})[\\p{L}\\p{N}\\p{P}\\p{S}])[\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
]

/** A whole regional flag, or one ignorable character that does not belong to the one before it. */
const INVISIBLE = new RegExp(
  `\\u{1F3F4}[\\u{E0020}-\\u{E007E}]+\\u{E007F}|(?!${VISIBLE_EXCEPTIONS.join('|')})[\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\uFFF9-\\uFFFC]`,
  'gu',
)
