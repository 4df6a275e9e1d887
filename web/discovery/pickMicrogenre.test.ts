import { expect, it } from 'vitest'
import { pickMicrogenre } from './pickMicrogenre.ts'

const empty = { id: 'empty', songCount: 0, unratedCount: 0 }
const finished = { id: 'finished', songCount: 20, unratedCount: 0 }
const begun = { id: 'begun', songCount: 20, unratedCount: 5 }
const fresh = { id: 'fresh', songCount: 20, unratedCount: 20 }

it('picks among those with songs left to rate (discover-1)', () => {
  expect(pickMicrogenre([empty, finished, begun, fresh], () => 0)).toBe(begun)
  expect(pickMicrogenre([empty, finished, begun, fresh], () => 0.99)).toBe(fresh)
})

it('picks a finished one when nothing is left, and none without songs', () => {
  expect(pickMicrogenre([empty, finished], () => 0.5)).toBe(finished)
  expect(pickMicrogenre([empty])).toBeNull()
  expect(pickMicrogenre([])).toBeNull()
})
