import { expect, it } from 'vitest'
import { pickMicrogenre } from './pickMicrogenre.ts'

const empty = { id: 'empty', songCount: 0, unratedCount: 0 }
const finished = { id: 'finished', songCount: 20, unratedCount: 0 }
const begun = { id: 'begun', songCount: 20, unratedCount: 5 }
const fresh = { id: 'fresh', songCount: 20, unratedCount: 20 }

it('picks a microgenre with unrated songs (discover-1)', () => {
  expect(pickMicrogenre([empty, finished, begun, fresh], () => 0)).toBe(begun)
  expect(pickMicrogenre([empty, finished, begun, fresh], () => 0.99)).toBe(fresh)
})

it('picks a completed one when all are completed, but never one without songs', () => {
  expect(pickMicrogenre([empty, finished], () => 0.5)).toBe(finished)
  expect(pickMicrogenre([empty])).toBeNull()
  expect(pickMicrogenre([])).toBeNull()
})
