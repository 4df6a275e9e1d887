import { expect, it } from 'vitest'
import { pickFirstMicrogenre, pickMicrogenre } from './pickMicrogenre.ts'

const empty = { id: 'empty', songCount: 0, unratedCount: 0 }
const finished = { id: 'finished', songCount: 20, unratedCount: 0 }
const begun = { id: 'begun', songCount: 20, unratedCount: 5 }
const fresh = { id: 'fresh', songCount: 20, unratedCount: 20 }

it('picks a microgenre with unrated songs (discover-32)', () => {
  expect(pickMicrogenre([empty, finished, begun, fresh], () => 0)).toBe(begun)
  expect(pickMicrogenre([empty, finished, begun, fresh], () => 0.99)).toBe(fresh)
})

it('picks a completed one when all are completed, but never one without songs', () => {
  expect(pickMicrogenre([empty, finished], () => 0.5)).toBe(finished)
  expect(pickMicrogenre([empty])).toBeNull()
  expect(pickMicrogenre([])).toBeNull()
})

it('begins with any microgenre, with a recommended one three times as often (discover-1)', () => {
  const list = Array.from({ length: 20 }, (_, n) => ({
    ...fresh,
    id: String(n),
    reason: n < 4 ? 'Hardly explored yet' : null,
  }))
  const counts = new Map<string, number>()
  for (let n = 0; n < 28; n++) {
    const id = pickFirstMicrogenre(list, () => n / 28)?.id ?? ''
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }

  expect(counts).toEqual(new Map(list.map(({ id, reason }) => [id, reason ? 3 : 1])))
})

it('begins with any other when no recommended one has unrated songs (discover-1)', () => {
  const done = { ...finished, reason: 'Hardly explored yet' }

  expect(pickFirstMicrogenre([done, { ...begun, reason: null }], () => 0)?.id).toBe('begun')
  expect(pickFirstMicrogenre([done], () => 0)).toBe(done)
  expect(pickFirstMicrogenre([])).toBeNull()
})
