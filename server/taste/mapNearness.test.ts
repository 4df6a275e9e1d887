import { expect, test } from 'vitest'
import { type Affinity, computeNearness } from './mapNearness.ts'

const tags = { energy: ['slow'], vocals: ['vocal'], familiarity: ['indie'], mood: ['ambient'] }
const other = { energy: ['fast'], vocals: ['instrumental'], familiarity: ['mainstream'], mood: ['rhythmic'] }

/** Shoegaze and dream pop are alike, polka is like neither. */
const microgenres = [
  { id: '1', name: 'Shoegaze', family: 'rock', ...tags },
  { id: '2', name: 'Dream pop', family: 'rock', ...tags },
  { id: '3', name: 'Slowcore', family: 'folk', ...tags },
  { id: '4', name: 'Polka', family: 'brass', ...other },
]

test('discover-80: before enough listeners bang in both, nearness is family and tags', () => {
  const [shoegaze = []] = computeNearness(microgenres, []).map((row) => [...row])
  const [itself, dreamPop, slowcore, polka] = shoegaze
  expect([itself, dreamPop, polka]).toEqual([1, 1, 0])
  expect(slowcore).toBeGreaterThan(0)
  expect(slowcore).toBeLessThan(0.6)
})

test('discover-80: the listeners who bang in both say more than family and tags', () => {
  const rows = computeNearness(
    microgenres,
    affinitiesOf(1000, { 1: 100, 2: 100, 3: 100, 4: 100 }, { '1 4': 80, '1 3': 20 }),
  )
  const [shoegaze, dreamPop] = rows
  // As many as chance gives, ten, were enough to tell, but there are fewer.
  expect(shoegaze?.[1]).toBe(0)
  expect(shoegaze?.[3]).toBeGreaterThan(shoegaze?.[2] ?? 1)
  expect(shoegaze?.[2]).toBeGreaterThan(0)
  expect(dreamPop?.[0]).toBe(0)
  for (const [i, row] of rows.entries())
    for (const [j, near] of row.entries()) expect(near).toBe(rows[j]?.[i])
})

test('discover-80: where chance would not give enough common listeners, family and tags say it', () => {
  const [shoegaze] = computeNearness(
    microgenres,
    affinitiesOf(5000, { 1: 100, 2: 100, 3: 20 }, { '1 3': 12 }),
  )
  expect(shoegaze?.[1]).toBe(1)
})

test('discover-80: the same listeners mean nearness, and many listeners do not', () => {
  const few = { 1: 40, 2: 40, 3: 900, 4: 900 }
  const [shoegaze, , slowcore] = computeNearness(
    microgenres,
    affinitiesOf(1000, few, { '1 2': 35, '3 4': 815 }),
  )
  expect(shoegaze?.[1]).toBeGreaterThan(slowcore?.[3] ?? 1)
})

test('discover-80: listeners who all bang everywhere give numbers', () => {
  const rows = computeNearness(microgenres, affinitiesOf(10, { 1: 10, 2: 10 }, { '1 2': 10 }))
  for (const near of rows.flatMap((row) => [...row])) {
    expect(near).toBeGreaterThanOrEqual(0)
    expect(near).toBeLessThanOrEqual(1)
  }
})

/** As `learnAffinities` stores them: `crowds` bang in each, `common` in both. */
function affinitiesOf(
  listeners: number,
  crowds: Record<string, number>,
  common: Record<string, number>,
): Affinity[] {
  const row = (microgenreId: string, otherId: string, both: number): Affinity => {
    const share = (crowds[otherId] ?? 0) / listeners
    const lift = both / (crowds[microgenreId] ?? 0) / share
    return {
      microgenreId,
      otherId,
      listeners: both,
      affinity: Math.fround(Math.log(lift) / 2 + Math.log(share)),
    }
  }
  return [
    ...Object.entries(crowds).map(([id, count]) => row(id, id, count)),
    ...Object.entries(common).flatMap(([pair, both]) => {
      const [one = '', two = ''] = pair.split(' ')
      return [row(one, two, both), row(two, one, both)]
    }),
  ]
}
