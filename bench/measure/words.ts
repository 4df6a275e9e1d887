import type { Fragment, Queryable } from '../../server/db/connection.ts'

/** Different words of at least `least` syllables, the same in each run. */
export function makeWords(count: number, least: number): string[] {
  const starts = 'b c d f g h k l m n p r s t v w z br ch dr gr kl sh st tr th'.split(' ')
  const vowels = 'a a e e i o u ai ea ou'.split(' ')
  const ends = ['', '', 'n', 'r', 's', 'l', 't', 'm', 'nd', 'ck']
  const found = new Set<string>()
  for (let seed = 1; found.size < count; ) {
    let word = ''
    const most = least + (seed % 3)
    for (let syllable = 0; syllable < most; syllable++)
      for (const list of [starts, vowels, ends]) {
        seed = (seed * 48271) % 2147483647
        word += list[seed % list.length]
      }
    found.add(word)
  }
  return [...found]
}

/** One of them in SQL, at random: the n-th comes as often as by Zipf's law. */
export function pick(db: Queryable, words: string[]): Fragment {
  return db`(${words}::text[])[ceil(power(${words.length}::float8, random()))::int]`
}
