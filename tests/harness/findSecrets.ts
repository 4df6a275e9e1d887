/**
 * Finds what must not appear in a log line: e-mail addresses, the tokens of sessions and links (43 characters),
 * of shares (32), and headers that carry them. Empty for a clean line.
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

/** Identifiers lack digits or one case of letters; tokens have all of them. */
const isIdentifier = (text: string) =>
  /^[\w-]+$/.test(text) && !(/\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text))

/** Internals that only developers and attackers want to read (calls-6). */
export const INTERNALS =
  /\bat [\w.<>]+ \(|node_modules|\.ts\b|\.js\b|\/(work|home|root|usr|tmp|var)\/|select |insert |update |relation|constraint|syntax error|postgres|ECONN|PGSQL|stack/i
