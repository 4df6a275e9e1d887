import { expect, test } from 'vitest'
import { type Affinity, computeNearness } from './mapNearness.ts'

const tags = { energy: ['slow'], vocals: ['vocal'], familiarity: ['indie'], mood: ['ambient'] }
const other = { energy: ['fast'], vocals: ['instrumental'], familiarity: ['mainstream'], mood: ['rhythmic'] }

/** Shoegaze and dream pop are alike, polka is like neither. */
const microgenres = [
  { id: '1', key: 'shoegaze', name: 'Shoegaze', family: 'rock', ...tags, relatives: [] as string[] },
  { id: '2', key: 'dream-pop', name: 'Dream pop', family: 'rock', ...tags, relatives: [] },
  { id: '3', key: 'slowcore', name: 'Slowcore', family: 'folk', ...tags, relatives: [] },
  { id: '4', key: 'polka', name: 'Polka', family: 'brass', ...other, relatives: [] },
]

test('discover-80: without relatives and before enough listeners bang in both, nearness is family and tags', () => {
  const [shoegaze = []] = computeNearness(microgenres, []).map((row) => [...row])
  const [itself, dreamPop, slowcore, polka] = shoegaze
  expect([itself, dreamPop, polka]).toEqual([1, 1, 0])
  expect(slowcore).toBeGreaterThan(0)
  expect(slowcore).toBeLessThan(0.6)
})

test('discover-80: relatives are nearer than their relatives, and these nearer than what is only alike', () => {
  const related = (key: string, relatives: string[]) =>
    microgenres.map((one) => (one.key === key ? { ...one, relatives } : one))
  const [[, dreamPop, slowcore, polka] = []] = nearnessOf(
    related('polka', ['unknown', 'shoegaze', 'slowcore']),
  )
  expect(polka).toBeCloseTo(0.95)
  expect(slowcore).toBeCloseTo(0.6 * 0.95 * 0.9)
  // It has no relatives, so it stays as near as it was.
  expect(dreamPop).toBe(1)

  const pairs = related('polka', ['shoegaze']).map((one) =>
    one.key === 'dream-pop' ? { ...one, relatives: ['slowcore'] } : one,
  )
  expect(nearnessOf(pairs)[0]?.[1]).toBeCloseTo(0.3)
})

test('discover-80: relatives give way to listeners, the more of them there are', () => {
  const related = microgenres.map((one) => (one.key === 'polka' ? { ...one, relatives: ['shoegaze'] } : one))
  const counts = [9, 10, 40, 180]
  const near = counts.map((crowd) => {
    // As many as chance gives were enough to tell, but there are fewer.
    const affinities = affinitiesOf(crowd, { 1: crowd, 4: crowd }, {})
    return computeNearness(related, affinities)[0]?.[3] ?? Number.NaN
  })
  expect(near.map((one) => Number(one.toFixed(3)))).toEqual([1, 0.667, 0.333, 0.1])
})

test('discover-80: the listeners who bang in both say more than family and tags', () => {
  const rows = computeNearness(
    microgenres,
    affinitiesOf(1000, { 1: 100, 2: 100, 3: 100, 4: 100 }, { '1 4': 80, '1 3': 20 }),
  )
  const [shoegaze] = rows
  // As many as chance gives, ten, were enough to tell, but there are fewer.
  expect(shoegaze?.[1]).toBeCloseTo(2 / 3)
  expect(shoegaze?.[3]).toBeGreaterThan(shoegaze?.[2] ?? 1)
  // Twice as many as by chance bring them nearer, also where others are nearer still.
  expect(shoegaze?.[2]).toBeGreaterThan(nearnessOf(microgenres)[0]?.[2] ?? 1)
  for (const [i, row] of rows.entries())
    for (const [j, near] of row.entries()) expect(near).toBe(rows[j]?.[i])
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

const nearnessOf = (all: typeof microgenres) => computeNearness(all, []).map((row) => [...row])

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
