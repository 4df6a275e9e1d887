/**
 * Folds text for searches on the page and the server: removes case, accents, widths, invisible characters and the
 * strokes of Latin letters, and straightens quotes and hyphens. It follows Unicode alone, because locales and
 * databases have other rules for lower case.
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

/** Letters that Unicode does not decompose, each followed by its replacement. */
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
