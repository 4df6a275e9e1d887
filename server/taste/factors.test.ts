import { expect, test } from 'vitest'
import {
  createModel,
  DIMENSIONS,
  forEachTaste,
  initializeTraits,
  learnTraits,
  measureError,
} from './factors.ts'
import { BANGER, HELD_OUT, type HeardRatings } from './heardRatings.ts'

/** Listeners by songs: each rated every song, and every ninth rating is held out. */
function rateAll(
  listeners: number,
  songs: number,
  isBanger: (listener: number, song: number) => boolean,
): HeardRatings {
  const marks = new Int32Array(listeners * songs)
  for (let at = 0; at < marks.length; at++) {
    const [listener, song] = [Math.floor(at / songs), at % songs]
    marks[at] = song * 4 + (at % 9 === 0 ? HELD_OUT : 0) + (isBanger(listener, song) ? BANGER : 0)
  }
  return {
    songs: {
      ids: Float64Array.from({ length: songs }, (_, n) => n + 1),
      genres: new Int32Array(songs),
      genreCount: 1,
    },
    listeners: Float64Array.from({ length: listeners }, (_, n) => n + 1),
    starts: Int32Array.from({ length: listeners + 1 }, (_, n) => n * songs),
    marks,
  }
}

const twoTastes = rateAll(40, 20, (listener, song) => (listener + song) % 2 === 0)

test('discover-60: two opposite tastes are found', () => {
  const model = createModel(twoTastes)
  const plain = measureError(model, twoTastes)
  initializeTraits(model, twoTastes)
  learnTraits(model, twoTastes, 6)

  expect(plain).toBeGreaterThan(0.24)
  // A taste adds 0.25 at most.
  expect(measureError(model, twoTastes)).toBeLessThan(0.1)
})

test('discover-60: numbers that are not finite, or too large, become none or the largest', () => {
  const model = createModel(twoTastes)
  model.traits.fill(Number.NaN, 0, 8)
  model.traits.fill(3e38, 8, 16)
  model.shares[5] = Number.POSITIVE_INFINITY
  learnTraits(model, twoTastes, 3)
  forEachTaste(model, twoTastes, (_, __, taste) => {
    for (const number of taste) expect(Math.abs(number)).toBeLessThanOrEqual(4)
  })
  for (const number of model.traits) expect(Math.abs(number)).toBeLessThanOrEqual(4)
})

test('discover-60: with nobody, one listener or one song there is an answer, too', () => {
  for (const heard of [rateAll(0, 0, () => true), rateAll(1, 1, () => true), rateAll(1, 30, () => true)]) {
    const model = createModel(heard)
    initializeTraits(model, heard)
    learnTraits(model, heard, 2)
    expect(model.traits.length).toBe(heard.songs.ids.length * DIMENSIONS)
    expect(model.traits.every(Number.isFinite)).toBe(true)
  }
})
