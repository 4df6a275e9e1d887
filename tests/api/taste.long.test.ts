import { expect, test } from 'vitest'
import {
  createModel,
  DIMENSIONS,
  forEachTaste,
  initializeTraits,
  learnTraits,
  measureError,
} from '../../server/taste/factors.ts'
import {
  BANGER,
  HELD_OUT,
  type HeardRatings,
  hashNumber,
  isHeldOut,
} from '../../server/taste/heardRatings.ts'

const LISTENERS = 4000
const SONGS = 400

/** A number from 0 to 1, the same for the same arguments. */
const randomFrom = (...numbers: number[]) =>
  numbers.reduce((sum, each) => hashNumber(sum + each), 7) / 2 ** 32

/**
 * Ratings of two clear tastes: 85 of 100 are bangers of the songs that a listener likes, 15 of the others. `share` of the
 * listeners, chosen by `seed`, rated this many songs each.
 */
function rate(ratings: number, share: number, seed = 0): HeardRatings {
  const marks: number[] = []
  const starts = [0]
  const listeners: number[] = []
  for (let listener = 0; listener < LISTENERS; listener++) {
    if (randomFrom(3, seed, listener) >= share) continue
    listeners.push(listener)
    const lots = Array.from({ length: SONGS }, (_, song) => ({ song, lot: randomFrom(1, listener, song) }))
    for (const { song } of lots.sort((one, other) => one.lot - other.lot).slice(0, ratings)) {
      const chance = (listener + song) % 2 === 0 ? 0.85 : 0.15
      const isBanger = randomFrom(2, listener, song) < chance
      marks.push(song * 4 + (isHeldOut(listener, song) ? HELD_OUT : 0) + (isBanger ? BANGER : 0))
    }
    starts.push(marks.length)
  }
  return {
    songs: {
      ids: Float64Array.from({ length: SONGS }, (_, song) => song + 1),
      genres: new Int32Array(SONGS),
      genreCount: 1,
    },
    listeners: Float64Array.from(listeners),
    starts: Int32Array.from(starts),
    marks: Int32Array.from(marks),
  }
}

function learn(heard: HeardRatings, model = createModel(heard)) {
  initializeTraits(model, heard)
  learnTraits(model, heard, 6)
  return model
}

test('discover-60: a sample of listeners teaches as much as everybody; one rating of everybody teaches nothing', () => {
  const everybody = rate(100, 1)
  const plain = measureError(createModel(everybody), everybody)
  expect(plain).toBeGreaterThan(0.25)
  expect(measureError(learn(everybody), everybody)).toBeLessThan(0.15)
  expect(measureError(learn(rate(100, 0.01)), everybody)).toBeLessThan(0.17)
  const one = rate(1, 1)
  expect(measureError(learn(one), one)).toBeGreaterThan(0.25)
}, 600_000)

test('discover-60: tastes go with the traits of later runs', () => {
  const everybody = rate(100, 0.2)
  let model = learn(rate(100, 0.2, 1))
  const tastes: number[][] = []
  forEachTaste(model, everybody, (_, __, taste) => tastes.push([...taste]))
  for (let night = 2; night < 12; night++) {
    const heard = rate(100, 0.2, night)
    const { shares } = createModel(heard)
    model = learn(heard, { shares, traits: model.traits })
  }
  let [right, all] = [0, 0]
  for (const [at, taste] of tastes.entries())
    for (let song = 0; song < SONGS; song++, all++) {
      const product = taste.reduce((sum, one, n) => sum + one * (model.traits[song * DIMENSIONS + n] ?? 0), 0)
      if (product > 0 === ((everybody.listeners[at] ?? 0) + song) % 2 < 1) right++
    }
  expect(right / all).toBeGreaterThan(0.95)
}, 600_000)
