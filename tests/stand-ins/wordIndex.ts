/** Finds what shares words with a query. Like a real search engine it begins with the rarest word. */
export interface WordIndex<T> {
  add(words: Iterable<string>, item: T): void
  /** Every item with this word. */
  having(word: string): T[]
  /** Items with one of the words, from the rarest on, until there are enough. */
  find(words: string[]): Set<T>
  /** The rarer a word, the more it says of what is meant. */
  weightOf(word: string): number
  clear(): void
}

/** A search for a song that is there finds it and its namesakes long before. */
const MIN_SHARED_WORDS = 500

export function createWordIndex<T>(): WordIndex<T> {
  const byWord = new Map<string, T[]>()
  let size = 0
  const having = (word: string) => byWord.get(word) ?? []
  return {
    add(words, item) {
      size += 1
      for (const word of new Set(words)) {
        const items = byWord.get(word)
        if (items) items.push(item)
        else byWord.set(word, [item])
      }
    },
    having,
    find(words) {
      const found = new Set<T>()
      for (const items of words.map(having).sort((a, b) => a.length - b.length)) {
        if (found.size >= MIN_SHARED_WORDS) break
        for (const item of items.slice(0, MIN_SHARED_WORDS)) found.add(item)
      }
      return found
    },
    weightOf: (word) => Math.log(1 + size / (1 + having(word).length)),
    clear() {
      byWord.clear()
      size = 0
    },
  }
}
