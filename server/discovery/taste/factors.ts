import { BANGER, HELD_OUT, type HeardRatings, hashNumber, songOf } from './heardRatings.ts'

/*
 * A rating minus its song's share and its listener's lenience is about the product of two vectors, one of the song (its
 * traits) and one of the listener (the taste). Both are found in turns by ridge regression: the tastes from the traits,
 * then the traits from the tastes. Songs of all microgenres share one space, because a taste comes from elsewhere.
 */

/** Numbers of a song and of a listener. */
export const DIMENSIONS = 4

/** No trait is larger; the tables refuse it. */
const MAX_TRAIT = 4

/** What a taste adds to or takes from a song's share at most, as in rank_cards. */
const MAX_TASTE_EFFECT = 0.25

/** How many ratings of nothing in particular each listener and each song begins with. The first is that of store_rating. */
const LISTENER_RIDGE = 3
const SONG_RIDGE = 3

/** The same for lenience. */
const LENIENCE_RIDGE = 4

export interface Model {
  /** Each song's share of bangers, as in discover-50. */
  shares: Float32Array
  /** NUMBERS of each song, one after the other. */
  traits: Float32Array
}

/** Shares without the held-out ratings, from 0 to 1, and no traits yet. */
export function createModel({ songs, marks }: HeardRatings): Model {
  const count = songs.ids.length
  const [ratings, shares] = [new Float32Array(count), new Float32Array(count)]
  const [genreRatings, genreBangers] = [
    new Float64Array(songs.genreCount),
    new Float64Array(songs.genreCount),
  ]
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at] as number
    if (mark & HELD_OUT) continue
    const song = songOf(mark)
    const genre = songs.genres[song] as number
    ratings[song] = (ratings[song] as number) + 1
    shares[song] = (shares[song] as number) + (mark & BANGER)
    genreRatings[genre] = (genreRatings[genre] as number) + 1
    genreBangers[genre] = (genreBangers[genre] as number) + (mark & BANGER)
  }
  for (let song = 0; song < count; song++) {
    const genre = songs.genres[song] as number
    const genreShare = ((genreBangers[genre] as number) + 30) / ((genreRatings[genre] as number) + 100)
    shares[song] = ((shares[song] as number) + 13 * genreShare) / ((ratings[song] as number) + 13)
  }
  return { shares, traits: new Float32Array(count * DIMENSIONS) }
}

/** Songs of which nothing is known begin with small numbers, the same in every run: all at zero would stay there. */
export function initializeTraits({ traits }: Model, { songs }: HeardRatings): void {
  for (let song = 0; song < songs.ids.length; song++) {
    const from = song * DIMENSIONS
    if (!hasNoTraits(traits, from)) continue
    for (let n = 0; n < DIMENSIONS; n++)
      traits[from + n] = hashNumber((songs.ids[song] as number) * DIMENSIONS + n) / 2 ** 32 - 0.5
  }
}

/** Improves the traits `sweeps` times. Held-out ratings do not count. A song that nobody rated has no traits. */
export function learnTraits(model: Model, heard: HeardRatings, sweeps: number): void {
  const { shares, traits } = model
  const { marks } = heard
  const count = heard.songs.ids.length
  const sums = new Float32Array(count * SUMS_PER_REGRESSION)
  for (let sweep = 0; sweep < sweeps; sweep++) {
    sums.fill(0)
    forEachTaste(model, heard, (from, to, taste, lenience) => {
      for (let at = from; at < to; at++) {
        const mark = marks[at] as number
        if (mark & HELD_OUT) continue
        const song = songOf(mark)
        addObservation(
          sums,
          song * SUMS_PER_REGRESSION,
          taste,
          0,
          (mark & BANGER) - (shares[song] as number) - lenience,
        )
      }
    })
    for (let song = 0; song < count; song++)
      solve(sums, song * SUMS_PER_REGRESSION, SONG_RIDGE, traits, song * DIMENSIONS)
  }
}

/**
 * The mean squared error on held-out ratings, each predicted from the listener's others. Every listener counts as much,
 * so that one who rates like a machine decides nothing. NaN without held-out ratings.
 */
export function measureError(model: Model, heard: HeardRatings): number {
  const { shares, traits } = model
  const { marks } = heard
  let total = 0
  let judgedListeners = 0
  forEachTaste(model, heard, (from, to, taste, lenience) => {
    let errors = 0
    let count = 0
    for (let at = from; at < to; at++) {
      const mark = marks[at] as number
      if (!(mark & HELD_OUT)) continue
      const song = songOf(mark)
      let product = 0
      for (let n = 0; n < DIMENSIONS; n++)
        product += (traits[song * DIMENSIONS + n] as number) * (taste[n] as number)
      const tasteEffect = Math.max(-MAX_TASTE_EFFECT, Math.min(MAX_TASTE_EFFECT, product))
      errors += ((mark & BANGER) - (shares[song] as number) - lenience - tasteEffect) ** 2
      count++
    }
    if (count === 0) return
    total += errors / count
    judgedListeners++
  })
  return total / judgedListeners
}

/**
 * Calls `use` with each listener's ratings (from and to in `marks`), taste and lenience, in order; by default all
 * listeners, without held-out ratings. The taste is the same array each time.
 */
export function forEachTaste(
  { shares, traits }: Model,
  { listeners, starts, marks }: HeardRatings,
  use: (from: number, to: number, taste: Float32Array, lenience: number, listener: number) => void,
  { left = HELD_OUT, first = 0, last = listeners.length } = {},
): void {
  const taste = new Float32Array(DIMENSIONS)
  const sums = new Float32Array(SUMS_PER_REGRESSION)
  for (let listener = first; listener < Math.min(last, listeners.length); listener++) {
    const [from, to] = [starts[listener] as number, starts[listener + 1] as number]
    let surplus = 0
    let count = 0
    for (let at = from; at < to; at++) {
      const mark = marks[at] as number
      if (mark & left) continue
      surplus += (mark & BANGER) - (shares[songOf(mark)] as number)
      count++
    }
    const lenience = surplus / (count + LENIENCE_RIDGE)
    sums.fill(0)
    for (let at = from; at < to; at++) {
      const mark = marks[at] as number
      if (mark & left) continue
      const song = songOf(mark)
      addObservation(
        sums,
        0,
        traits,
        song * DIMENSIONS,
        (mark & BANGER) - (shares[song] as number) - lenience,
      )
    }
    solve(sums, 0, LISTENER_RIDGE, taste, 0)
    use(from, to, taste, lenience, listener)
  }
}

export const hasNoTraits = (traits: Float32Array, from: number): boolean => {
  for (let n = 0; n < DIMENSIONS; n++) if (traits[from + n] !== 0) return false
  return true
}

/** The sums of a regression: the matrix's upper triangle row by row, then the right side. */
const SUMS_PER_REGRESSION = (DIMENSIONS * (DIMENSIONS + 1)) / 2 + DIMENSIONS

/** Adds what one rating says: `value` is about the product of the vector and what is sought. */
function addObservation(
  sums: Float32Array,
  at: number,
  vectors: Float32Array,
  from: number,
  value: number,
): void {
  let cell = at
  for (let row = 0; row < DIMENSIONS; row++) {
    const one = vectors[from + row] as number
    for (let column = row; column < DIMENSIONS; column++, cell++)
      sums[cell] = (sums[cell] as number) + one * (vectors[from + column] as number)
  }
  for (let row = 0; row < DIMENSIONS; row++, cell++)
    sums[cell] = (sums[cell] as number) + value * (vectors[from + row] as number)
}

const choleskyRoot = new Float64Array(DIMENSIONS * DIMENSIONS)
const solution = new Float64Array(DIMENSIONS)

/** Solves a regression by Cholesky's method. What is not finite becomes 0, what is too large the largest. */
function solve(sums: Float32Array, at: number, ridge: number, into: Float32Array, to: number): void {
  let cell = at
  for (let row = 0; row < DIMENSIONS; row++) {
    for (let column = row; column < DIMENSIONS; column++, cell++) {
      let rest = (sums[cell] as number) + (row === column ? ridge : 0)
      for (let above = 0; above < row; above++)
        rest -=
          (choleskyRoot[above * DIMENSIONS + row] as number) *
          (choleskyRoot[above * DIMENSIONS + column] as number)
      choleskyRoot[row * DIMENSIONS + column] =
        row === column ? Math.sqrt(rest) : rest / (choleskyRoot[row * DIMENSIONS + row] as number)
    }
  }
  for (let row = 0; row < DIMENSIONS; row++, cell++) {
    let rest = sums[cell] as number
    for (let above = 0; above < row; above++)
      rest -= (choleskyRoot[above * DIMENSIONS + row] as number) * (solution[above] as number)
    solution[row] = rest / (choleskyRoot[row * DIMENSIONS + row] as number)
  }
  for (let row = DIMENSIONS - 1; row >= 0; row--) {
    let rest = solution[row] as number
    for (let below = row + 1; below < DIMENSIONS; below++)
      rest -= (choleskyRoot[row * DIMENSIONS + below] as number) * (solution[below] as number)
    const value = rest / (choleskyRoot[row * DIMENSIONS + row] as number)
    solution[row] = value
    into[to + row] = Number.isFinite(value) ? Math.max(-MAX_TRAIT, Math.min(MAX_TRAIT, value)) : 0
  }
}
