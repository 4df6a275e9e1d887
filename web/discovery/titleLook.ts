/** Full-width letters. */
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}]/u

/** The width of a text, in Latin letters. */
export function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += WIDE.test(letter) ? 1.7 : 1
  return width
}

/**
 * Chooses a title's font width: short titles are large and wide. Long ones, and those with a long word that would
 * break otherwise, are small and narrow.
 */
export function titleLook(title: string): string {
  const longestWord = Math.max(...title.split(/[\s-]+/).map((word) => (WIDE.test(word) ? 0 : widthOf(word))))
  const width = Math.max(widthOf(title), 1.9 * longestWord)
  if (width <= 16) return looks.wide
  if (width <= 30) return looks.normal
  if (width <= 48) return looks.narrow
  return width <= 90 ? looks.narrowest : `${looks.narrowest} short:line-clamp-3`
}

/* Sizes follow the record's column, widths whether it is narrow. */
const looks = {
  wide: 'text-[clamp(1.25rem,11cqi,2.5rem)] leading-[1.1] low:text-[1.25rem]',
  normal:
    'text-[clamp(1.125rem,8cqi,2.5rem)] leading-[1.15] [font-stretch:104%] @max-xs:[font-stretch:88%] low:text-[1.25rem]',
  narrow:
    'text-[clamp(1.0625rem,6.5cqi,2.25rem)] leading-[1.15] [font-stretch:90%] @max-xs:[font-stretch:72%] low:text-[1.0625rem]',
  narrowest:
    'text-[clamp(1rem,5.5cqi,1.875rem)] leading-[1.1] [font-stretch:80%] @max-xs:[font-stretch:62%] low:text-[1rem]',
} satisfies Record<string, string>
