/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const LETTER_REPLACEMENTS: Record<string, string> = {
  '&': ' and ',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
}

/** Expects lower case. */
export const replaceLetters = (text: string) =>
  text.replace(/[&øłđæœßþ]/g, (letter) => LETTER_REPLACEMENTS[letter] ?? '')

/** Lower-case Latin letters and digits joined by hyphens: 'Sigur Rós' becomes sigur-ros. */
export function slugOf(text: string): string {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|['’]/gu, '')
  return replaceLetters(folded)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** The same for two spellings of a name, also in other scripts. */
export const foldName = (text: string) => slugOf(text) || text.normalize('NFKC').toLowerCase().trim()

const WORD_VARIANTS = new Map([
  ['n', 'and'],
  ['pt', 'part'],
])

/**
 * The words of a text without case, accents, punctuation and invisible characters. Marks of other scripts stay,
 * because they distinguish letters.
 */
export function tokenize(text: string): string[] {
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}/gu, '')
    .normalize('NFC')
    .replace(/\p{Cf}|['’ʼ`´]/gu, '')
  return replaceLetters(folded)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => WORD_VARIANTS.get(word) ?? word)
}

/** The same for two spellings of a title or name: 'The Beat Goes On' and 'beat-goes on'. */
export function normalizeName(text: string): string {
  const words = tokenize(text)
  const spelled = words.filter((word) => word !== 'the').join('') || words.join('')
  // A title such as '!!!' has no letters.
  return spelled || text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
}
