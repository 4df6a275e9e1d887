import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import { scaled } from '../../tests/harness/tier.ts'
import { packagePath } from '../packagePath.ts'
import { distanceOf, layOutMap, MAX_MOVE, type MapPosition, MIN_GAP } from './layOutMap.ts'
import { computeNearness, findNearest } from './mapNearness.ts'
import { relationOf } from './recommend.ts'

const catalogue = readCatalogue(packagePath('catalogue')).microgenres
const microgenres = catalogue
  .map((microgenre) => ({ ...microgenre, id: microgenre.key }))
  .sort((one, other) => (`${one.family} ${one.key}` < `${other.family} ${other.key}` ? -1 : 1))
const nearness = computeNearness(microgenres, [])
const newOnes = (count: number): null[] => Array(count).fill(null)
/** The first map of the catalogue. */
const first = await layOutMap(nearness, newOnes(nearness.length))

test('discover-80: on the map of the catalogue, the more alike two are the nearer they stand', async () => {
  expect(first).toHaveLength(microgenres.length)
  // The five next to each are much more alike to it than five drawn by lot, which would give 0; the best five give 1.
  const found = first.map((place, i) => {
    const others = [...first.keys()].filter((j) => j !== i)
    const near = (j: number) => at(at(nearness, i), j)
    const next = others.toSorted((a, b) => distanceOf(place, at(first, a)) - distanceOf(place, at(first, b)))
    const best = others.toSorted((a, b) => near(b) - near(a))
    const lot = mean(others.map(near))
    return (mean(next.slice(0, 5).map(near)) - lot) / (mean(best.slice(0, 5).map(near)) - lot)
  })
  expect(mean(found)).toBeGreaterThan(0.58)
  expect(leastGap(first)).toBeGreaterThanOrEqual(MIN_GAP)
})

test('a server that stops does not wait for the map', async () => {
  const stopping = AbortSignal.abort(new Error('stopping'))
  await expect(layOutMap(nearness, newOnes(nearness.length), stopping)).rejects.toThrow('stopping')
})

/** Nobody would put these beside each other. */
const ABSURD_PAIRS = `
  djent hard-bop, hyperpop enka, black-metal jawaiian, gabber fado, screamo bossa-nova, grime bluegrass,
  complextro delta-blues, neurofunk doo-wop, ska-punk qawwali, ebm slack-key-guitar, happy-hardcore tango,
  doom-metal soca, gqom britpop, dungeon-synth zydeco, footwork chanson, amapiano psychobilly,
  kuduro outlaw-country, witch-house northern-soul, vaporwave balkan-brass, drone mbaqanga,
  noise-rock son-cubano, blackgaze samba, desert-blues cantopop, breakcore philly-soul, slowcore dangdut,
  post-rock bhangra, minimal-techno forro, visual-kei rocksteady, noise-pop mbalax, g-funk klezmer,
  jersey-club nueva-cancion, riot-grrrl psytrance, dunedin-sound dancehall, moombahton spiritual-jazz,
  midwest-emo ethio-jazz, idm surf-music, folk-punk liquid-funk, chiptune rai, stoner-rock soukous,
  phonk tropicalia, jangle-pop baile-funk, dream-pop cumbia, krautrock salsa-dura,
  future-garage anatolian-rock, math-rock aotearoa-roots, chillstep australian-pub-rock,
  uk-garage australian-psych, dub-techno cambodian-rock, future-funk aboriginal-rock, glitch-hop highlife,
  shoegaze electro-swing, cloud-rap chicha, synthwave afrobeat, nu-disco black-metal,
  screamo japanese-city-pop, detroit-techno bluegrass, space-rock soca, doom-metal shibuya-kei,
  italo-disco delta-blues, trip-hop psychobilly`
  .split(',')
  .map((pair) => pair.trim().split(' '))

test('discover-80, discover-86: before anybody listens the nearest are related, on the map, too, and none is absurd', () => {
  const named = microgenres.map((_, i) => findNearest(nearness, i))
  const onMap = first.map((place, i) =>
    findNearest(
      [...first.keys()].map(() => Float64Array.from(first, (other) => -distanceOf(place, other))),
      i,
    ),
  )
  const relatives = (near: number[][]) =>
    near.map((all, i) => all.filter((j) => relationOf(at(microgenres, i), at(microgenres, j)) > 0).length)
  expect(relatives(named)).toEqual(named.map(() => 3))
  expect(relatives(onMap).filter((count) => count > 0).length).toBeGreaterThanOrEqual(0.95 * first.length)

  const places = new Map(microgenres.map(({ key }, i) => [key, i]))
  expect(ABSURD_PAIRS).toHaveLength(60)
  for (const [one = '', other = ''] of ABSURD_PAIRS)
    for (const near of [named, onMap]) {
      const [i, j] = [places.get(one) ?? -1, places.get(other) ?? -1]
      expect([one, other, at(near, i).includes(j), at(near, j).includes(i)]).toEqual([
        one,
        other,
        false,
        false,
      ])
    }
})

test('discover-81: drawn again from the same data, no place moves', async () => {
  expect(await layOutMap(nearness, newOnes(nearness.length))).toEqual(first)
  expect(await layOutMap(nearness, first)).toEqual(first)
})

test('discover-81: whatever changes, a place moves by a bounded amount a day, and a small change moves few', async () => {
  // Everything else: the rows in the opposite order.
  const upset = nearness.map((_, i) => Float64Array.from(nearness, (_, j) => mirrored(i, j)))
  const after = await layOutMap(upset, first)
  const moves = after.map((place, i) => distanceOf(place, at(first, i)))
  expect(Math.max(...moves)).toBeLessThanOrEqual(MAX_MOVE + 1e-9)
  expect(leastGap(after)).toBeGreaterThan(MIN_GAP * 0.9)

  const changed = nearness.map((row) => Float64Array.from(row))
  at(changed, 3)[40] = 0.9
  at(changed, 40)[3] = 0.9
  const little = await layOutMap(changed, first)
  expect(mean(little.map((place, i) => distanceOf(place, at(first, i))))).toBeLessThan(mean(moves))
})

test('discover-81: a new one stands where it would stand if it were not new, and the others hardly move', async () => {
  const shifts: number[] = []
  for (let added = 0; added < nearness.length; added += scaled(25, 10)) {
    const before = first.map((place, i) => (i === added ? null : place))
    const places = await layOutMap(nearness, before)
    shifts.push(distanceOf(at(places, added), at(first, added)))
    for (const [i, place] of places.entries())
      if (i !== added) expect(distanceOf(place, at(first, i))).toBeLessThanOrEqual(MAX_MOVE + 1e-9)
  }
  expect(shifts.filter((shift) => shift < 1).length).toBeGreaterThan(shifts.length * 0.75)
})

test('discover-80: a map of none, of one, and of things that are all the same', async () => {
  expect(await layOutMap([], [])).toEqual([])
  expect(await layOutMap([Float64Array.of(1)], [null])).toEqual([{ x: 0, y: 0 }])
  const same = Array.from({ length: 40 }, () => new Float64Array(40).fill(1))
  const together = await layOutMap(same, Array(40).fill({ x: 3, y: 3 }))
  expect(leastGap(await layOutMap(same, newOnes(40)))).toBeGreaterThanOrEqual(MIN_GAP)
  for (const place of together) expect(distanceOf(place, { x: 3, y: 3 })).toBeLessThanOrEqual(MAX_MOVE + 1e-9)
})

test('discover-80: places are numbers, whatever the data', async () => {
  const near = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }))
  const place = fc.record({ x: fc.constantFrom(0, 1, -2), y: fc.constantFrom(0, 5) })
  const maps = fc.integer({ min: 1, max: 12 }).chain((count) =>
    fc.tuple(
      fc.array(fc.array(near, { minLength: count, maxLength: count }), {
        minLength: count,
        maxLength: count,
      }),
      fc.array(fc.option(place), { minLength: count, maxLength: count }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(maps, async ([rows, before]) => {
      const places = await layOutMap(
        rows.map((row) => Float64Array.from(row)),
        before,
      )
      expect(places.filter(({ x, y }) => !Number.isFinite(x) || !Number.isFinite(y))).toEqual([])
      expect(places).toHaveLength(before.length)
    }),
    { numRuns: 60, seed: 1 },
  )
})

const mirrored = (i: number, j: number) =>
  at(
    at(nearness, nearness.length - 1 - ((i * 7) % nearness.length)),
    nearness.length - 1 - ((j * 7) % nearness.length),
  )

const pairsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => Array.from({ length: i }, (_, j) => [i, j] as const)).flat()

const leastGap = (places: readonly MapPosition[]) =>
  Math.min(...pairsOf(places.length).map(([i, j]) => distanceOf(at(places, i), at(places, j))))

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

function at<One>(all: ArrayLike<One>, place: number): One {
  const found = all[place]
  if (found === undefined) throw new Error(`There is nothing at ${place}.`)
  return found
}
