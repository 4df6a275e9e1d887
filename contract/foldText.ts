/**
 * What searches compare: the same for a name however it is typed, by page and server. Without case, accents, widths and
 * invisible characters, in Latin letters without strokes, with straight quotes and hyphens. By Unicode alone: languages
 * and databases have other rules for lower case.
 */
export const foldText = (text: string): string =>
  text
    .replace(/[´\u1FFD]/g, "'")
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u0640]/gu, '')
    .toLowerCase()
    .replace(/[`\x80-\u{10FFFF}]/gu, (sign) => LETTER_REPLACEMENTS.get(sign) ?? sign)
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\s+/g, ' ')

/** What Unicode does not decompose: a letter, then how it is typed. */
const LETTER_REPLACEMENTS = new Map(
  [
    'øo łl đd ðd ɖd ɗd ħh ŧt ıi ɨi ŋn ɲn ɓb ƀb ƙk ƴy ɛe əe ǝe ɔo ɣg ǥg ƶz ʉu ſs ĸk þth ßss æae œoe',
    'ςσ ґг ғг қк ңн ҳх ҷч өо үу ұу әа һх',
    'ٱا ىي یي ےي کك ةه ہه ھه',
    "`' ’' ‘' ʼ' ʻ' ‐- ‑- ‒- –- —- ―- −- ⁄/",
  ]
    .join(' ')
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
)
