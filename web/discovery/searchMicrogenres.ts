/**
 * Microgenres whose name or description contains every word, ignoring case; matches by name first. Special
 * characters are literal.
 */
export function searchMicrogenres<M extends { name: string; description: string }>(
  all: readonly M[],
  wanted: string,
): M[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string) => words.every((word) => text.includes(word))
  const byName = all.filter(({ name }) => has(name.toLowerCase()))
  const byText = all.filter(
    (one) => !byName.includes(one) && has(`${one.name} ${one.description}`.toLowerCase()),
  )
  return [...byName, ...byText]
}
