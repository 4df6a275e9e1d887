import { BANGER, HELD_OUT, type HeardRatings, hashNumber, songOf } from './heardRatings.ts'

/*
 * Matrix factorization by alternating least squares. A rating minus its song's share and its listener's lenience is
 * approximately the product of two vectors: the song's traits and the listener's taste. Ridge regression finds tastes
 * from traits, then traits from tastes, in turns. Songs of all microgenres share one space.
 */

/** Of the vectors of songs and listeners. */
export const DIMENSIONS = 4

/** The tables' constraint. */
export const MAX_TRAIT = 4

/** The most that a taste adds to or subtracts from a song's share, as in rank_cards. */
const MAX_TASTE_EFFECT = 0.25

/** The regularization of listeners and of songs. That of listeners is also in rating_steps. */
export const LISTENER_RIDGE = 3
const SONG_RIDGE = 3

/** The regularization of lenience. */
const LENIENCE_RIDGE = 4

export interface Model {
  /** Each song's share of bangers, as in discover-50. */
  shares: Float32Array
  /** DIMENSIONS numbers per song, one song after the other. */
  traits: Float32Array
}

/** Computes the shares, without held-out ratings, from 0 to 1. All traits are zero. */
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

/** Gives songs without traits small pseudorandom ones, the same in every run: zeros would stay zeros. */
export function initializeTraits({ traits }: Model, { songs }: HeardRatings): void {
  for (let song = 0; song < songs.ids.length; song++) {
    const from = song * DIMENSIONS
    if (!hasNoTraits(traits, from)) continue
    for (let n = 0; n < DIMENSIONS; n++)
      traits[from + n] = hashNumber((songs.ids[song] as number) * DIMENSIONS + n) / 2 ** 32 - 0.5
  }
}

/** Improves the traits in `sweeps` rounds, without held-out ratings. A song without ratings gets zeros. */
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
 * The mean squared error on held-out ratings, each predicted from the listener's others. All listeners weigh the
 * same, so that nobody with very many ratings dominates. NaN without held-out ratings.
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
 * Calls `use` with each listener's range in `marks`, taste and lenience, in order; by default without held-out ratings.
 * The taste is the same array each time.
 */
export function forEachTaste(
  { shares, traits }: Model,
  { listeners, starts, marks }: HeardRatings,
  use: (from: number, to: number, taste: Float32Array, lenience: number, listener: number) => void,
  { excluded = HELD_OUT } = {},
): void {
  const taste = new Float32Array(DIMENSIONS)
  const sums = new Float32Array(SUMS_PER_REGRESSION)
  for (let listener = 0; listener < listeners.length; listener++) {
    const [from, to] = [starts[listener] as number, starts[listener + 1] as number]
    let surplus = 0
    let count = 0
    for (let at = from; at < to; at++) {
      const mark = marks[at] as number
      if (mark & excluded) continue
      surplus += (mark & BANGER) - (shares[songOf(mark)] as number)
      count++
    }
    const lenience = surplus / (count + LENIENCE_RIDGE)
    sums.fill(0)
    for (let at = from; at < to; at++) {
      const mark = marks[at] as number
      if (mark & excluded) continue
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

/** The normal equations of a regression: the matrix's upper triangle by rows, then the right-hand side. */
const SUMS_PER_REGRESSION = (DIMENSIONS * (DIMENSIONS + 1)) / 2 + DIMENSIONS

/** Adds one rating: `value` is approximately the product of the vector and the unknown one. */
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

/** Solves a regression by Cholesky decomposition. Results that are not finite become 0, too large ones MAX_TRAIT. */
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
