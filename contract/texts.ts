import * as z from 'zod/mini'

/**
 * What people type, in one line, without invisible and bidirectional control characters: no name hides characters,
 * and none turns the text around it. NUL stays, and is refused.
 */
export const Line = z.string().check(z.overwrite(cleanLine))

/** What people type over several lines, by the same rule. */
export const Lines = z.string().check(z.overwrite(cleanLines))

/** A line that has something to see. */
export const VisibleLine = z
  .string()
  .check(z.overwrite(cleanLine), z.regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'is missing'))

/** Line breaks, tabs and other control characters become spaces. */
export function cleanLine(text: string): string {
  return removeInvisible(text)
    .replace(/([^\P{Cc}\0]|\p{Zl}|\p{Zp})+/gu, ' ')
    .trim()
}

export function cleanLines(text: string): string {
  return removeInvisible(text).replace(/[^\P{Cc}\0\t\n\r]/gu, '')
}

/**
 * Characters that Unicode says show nothing, the bidirectional ones among them. Some belong to what stands before
 * them and stay: joiners of emoji and of scripts that are written with them (Persian, Hindi …), variation selectors,
 * and the tags of regional flags.
 */
function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, (sign) => (sign.startsWith('\u{1F3F4}') ? sign : ''))
}

const JOINING = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mand', 'Mong', 'Adlm', 'Rohg'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Tibt', 'Mymr'],
].map((script) => `\\p{scx=${script}}`)

const STAYS = [
  `(?<=[${JOINING.join('')}])[\\u200C\\u200D]`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
  '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])[\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
]

/** A regional flag whole, or one character that shows nothing and does not belong to the one before it. */
const INVISIBLE = new RegExp(
  `\\u{1F3F4}[\\u{E0020}-\\u{E007E}]+\\u{E007F}|(?!${STAYS.join('|')})\\p{Default_Ignorable_Code_Point}`,
  'gu',
)
