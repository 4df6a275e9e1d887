/**
 * What a log line tells although nobody may read it there: e-mail addresses, the tokens of sessions and links
 * (43 letters), of shares (32), and headers that carry them. Empty for a line as it should be.
 */
export function findSecrets(line: string): string[] {
  return PATTERNS.flatMap((pattern) => line.match(pattern) ?? []).filter((found) => !isIdentifier(found))
}

const PATTERNS = [
  /[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/gi,
  /(?<![\w-])[\w-]{43}(?![\w-])/g,
  /(?<![\w-])[\w-]{32}(?![\w-])/g,
  /"(set-)?cookie"|"authorization"|[?&]token=[^"&\s]+/gi,
]

/** A long word of a program has no digits among its letters, or no letters of one kind; a token has them all. */
const isIdentifier = (text: string) =>
  /^[\w-]+$/.test(text) && !(/\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text))
