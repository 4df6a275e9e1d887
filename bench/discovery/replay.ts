import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { numbersFrom } from '../../tests/harness/numbersFrom.ts'
import type { Crowd } from './crowd.ts'

/** Items at most: every listener has a sign for each. */
const MOST_ITEMS = 20_000

/**
 * The ratings of a file with lines `user,item,rating`, also with tabs or semicolons, with or without a heading. A rating
 * above the middle of the file's lowest and highest is a banger. Users with fewer than `least` ratings are left out.
 * Returns a crowd for each seed: the same users in another order.
 * @throws Error naming the line that cannot be read.
 */
export async function readReplay(file: string, least: number): Promise<(seed: number) => Crowd> {
  const users = new Map<string, Map<number, number>>()
  const items = new Map<string, number>()
  const range = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY }
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1
    const [user = '', item = '', text = ''] = line.split(/[,;\t]/).map((part) => part.trim())
    const rating = text === '' ? Number.NaN : Number(text)
    if (!Number.isFinite(rating) || user === '' || item === '') {
      if (number === 1 || line.trim() === '') continue
      throw new Error(`${file}, line ${number}: expected user,item,rating`)
    }
    if (!items.has(item)) items.set(item, items.size)
    if (items.size > MOST_ITEMS) throw new Error(`${file} has more than ${MOST_ITEMS} items.`)
    const rated = users.get(user) ?? new Map<number, number>()
    users.set(user, rated.set(items.get(item) ?? 0, rating))
    range.low = Math.min(range.low, rating)
    range.high = Math.max(range.high, rating)
  }
  if (!(range.low < range.high)) throw new Error(`${file}: all ratings are the same.`)
  const listeners = [...users.values()].filter(({ size }) => size >= least)
  if (listeners.length === 0) throw new Error(`${file}: nobody has ${least} ratings.`)

  return (seed) => {
    const order = shuffled(listeners, numbersFrom(seed))
    return {
      elsewhere: 0,
      songs: items.size,
      listeners: order.length,
      weak: 0,
      verdictsOf(listener) {
        const signs = Array.from({ length: items.size }, () => '-')
        for (const [item, rating] of order[listener] ?? [])
          signs[item] = rating > (range.low + range.high) / 2 ? '1' : '0'
        return signs.join('')
      },
    }
  }
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}
