import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import { Preferences } from '../../contract/onboarding.ts'
import { packagePath } from '../packagePath.ts'
import {
  type Fit,
  fitToAnswers,
  fitToMicrogenre,
  HARDLY_EXPLORED,
  type MicrogenreCandidate,
  type MicrogenreTags,
  NO_FIT,
  PICKED_AT_RANDOM,
  recommend,
} from './recommend.ts'

type Microgenre = MicrogenreCandidate & MicrogenreTags & { family: string }

const ANSWERS: Preferences = {
  energyPreference: 'slow',
  vocalPreference: 'vocal',
  familiarityLevel: 'indie',
  musicMood: 'ambient',
}

/** Tags that match none of these answers. */
const OTHER = {
  energy: ['fast'],
  vocals: ['instrumental'],
  familiarity: ['obscure'],
  mood: ['rhythmic'],
}

const nothingKnown = { songCount: 30, ratings: 0, listeners: 0, plays: 0, affinity: null, likedName: null }

/** Ids of listeners. */
const SEEDS = Array.from({ length: 40 }, (_, n) => String(n + 1))

describe('by answers (onboarding-5)', () => {
  test('more matching answers rank higher, whatever the seed', () => {
    const four = tagged('Z four')
    const three = tagged('Y three', { mood: ['rhythmic'] })
    const two = tagged('X two', { mood: ['rhythmic'], energy: ['fast'] })
    const none = tagged('A none', OTHER)

    for (const seed of SEEDS)
      expect(namesOf(byAnswers([none, two, three, four], ANSWERS, seed))).toEqual([
        'Z four',
        'Y three',
        'X two',
        'A none',
      ])
  })

  test('each of the four questions has the same weight', () => {
    const withoutOne = Object.entries(OTHER).map(([tag, values]) => tagged(`not ${tag}`, { [tag]: values }))
    const withoutTwo = tagged('not two', { energy: ['fast'], vocals: ['instrumental'] })
    const firsts = SEEDS.flatMap((seed) =>
      namesOf(byAnswers([withoutTwo, ...withoutOne], ANSWERS, seed).slice(0, 3)),
    )

    expect(new Set(firsts)).toEqual(new Set(namesOf(withoutOne)))
  })

  test("one matching tag is enough, more add no points, and 'mixed' and 'both' fit every microgenre", () => {
    const many = tagged('many', { energy: ['fast', 'slow', 'weird'], mood: ['rhythmic', 'ambient'] })
    const indifferent: Preferences = { ...ANSWERS, energyPreference: 'mixed', vocalPreference: 'both' }

    expect(fitToAnswers(many, ANSWERS).points).toBe(4)
    expect(fitToAnswers(tagged('other', OTHER), indifferent).points).toBe(2)
  })

  test('among as many points a much nearer one is first: its tags stand alone', () => {
    const near = tagged('Z near')
    const far = tagged('A far', {
      energy: ['fast', 'slow'],
      vocals: ['vocal', 'instrumental'],
      mood: ['rhythmic', 'ambient'],
    })

    for (const seed of SEEDS) expect(namesOf(byAnswers([far, near], ANSWERS, seed))[0]).toBe('Z near')
  })

  test('of a familiarity that does not match, the next level is nearer than the far one', () => {
    const answers: Preferences = { ...ANSWERS, familiarityLevel: 'mainstream' }
    const next = tagged('next', { familiarity: ['indie'] })
    const far = tagged('far', { familiarity: ['obscure'] })
    const firsts = SEEDS.map((seed) => byAnswers([far, next], answers, seed)[0]?.name)

    expect(firsts.filter((name) => name === 'next').length).toBeGreaterThan(SEEDS.length / 2)
    expect(firsts).toContain('far')
  })

  test('among equals what is related to what the listener bangs in is mostly first, by its answers', () => {
    const all = ['alpha', 'bravo', 'charlie'].map((name) => tagged(name))
    const fitOf = (one: Microgenre) => ({
      ...fitToAnswers(one, ANSWERS),
      relation: Number(one.name === 'charlie'),
    })
    const firsts = SEEDS.map((seed) => byAnswers(all, ANSWERS, seed, fitOf)[0])
    expect(firsts.filter((first) => first?.name === 'charlie').length).toBeGreaterThan(SEEDS.length * 0.9)
    expect(firsts[0]?.reason).toBe('Fits all four of your answers')
  })

  test('among equals a lot decides: not the name or the order, and the same for the same seed and answers', () => {
    const microgenres = ['alpha', 'Bravo', 'Charlie', 'delta', 'echo', 'foxtrot'].map((name) => tagged(name))
    const lists = SEEDS.map((seed) => namesOf(byAnswers(microgenres, ANSWERS, seed)))

    expect(SEEDS.map((seed) => namesOf(byAnswers(microgenres.toReversed(), ANSWERS, seed)))).toEqual(lists)
    expect(new Set(lists.map(([first]) => first)).size).toBe(microgenres.length)
    const renamed = microgenres.map((one) => ({ ...one, name: `0 ${one.name}` }))
    expect(SEEDS.map((seed) => byAnswers(renamed, ANSWERS, seed).map(({ key }) => key))).toEqual(lists)
    const others = SEEDS.map((seed) =>
      namesOf(byAnswers(microgenres, { ...ANSWERS, vocalPreference: 'both' }, seed)),
    )
    expect(others).not.toEqual(lists)
  })

  test('among as many points affinity counts as much as a lot', () => {
    const near = tagged('near')
    const liked = tagged('liked', {}, { affinity: 0, likedName: 'near' })
    const fewer = tagged('fewer', { mood: ['rhythmic'] }, { affinity: 0, likedName: 'near' })

    for (const seed of SEEDS)
      expect(namesOf(byAnswers([fewer, near, liked], ANSWERS, seed))).toEqual(['liked', 'near', 'fewer'])
  })

  test('when little matches, the best available are returned', () => {
    expect(namesOf(byAnswers([tagged('Unfit', OTHER)], ANSWERS, '1'))).toEqual(['Unfit'])
    expect(byAnswers([], ANSWERS, '1')).toEqual([])
    expect(byAnswers([tagged('Empty', {}, { songCount: 0 })], ANSWERS, '1')).toEqual([])
  })
})

describe('the starter catalogue', () => {
  const starter: Microgenre[] = readCatalogue(packagePath('catalogue')).microgenres.map((entry) => ({
    ...entry,
    ...nothingKnown,
  }))

  test.each(everyAnswer())(
    '$energyPreference, $vocalPreference, $familiarityLevel, $musicMood: four different ones, and no other matches better than the first three',
    (answers) => {
      const before = structuredClone(starter)
      const best = starter.map((microgenre) => points(microgenre, answers)).toSorted((a, b) => b - a)
      for (const seed of SEEDS.slice(0, 5)) {
        const recommended = byAnswers(starter, answers, seed)

        expect(new Set(namesOf(recommended)).size).toBe(4)
        expect(namesOf(byAnswers(starter.toReversed(), answers, seed))).toEqual(namesOf(recommended))
        expect(recommended.slice(0, 3).map((microgenre) => points(microgenre, answers))).toEqual(
          best.slice(0, 3),
        )
        expect(recommended[3]?.reason).toBe(HARDLY_EXPLORED)
      }
      expect(starter).toEqual(before)
    },
  )

  const known = withListeners(starter, (place) => 3000 / place)

  test.each([
    ['nothing is known', () => starter],
    ['listeners know few microgenres well', () => known],
    ['they bang in some of those', (listener: string) => withAffinities(known, listener)],
    [
      'half of the microgenres have no listener',
      () => withListeners(starter, (place) => (place <= starter.length / 2 ? 200 : 0)),
    ],
  ])(
    'onboarding-5: over 100 listeners and all answers, while %s, every microgenre is recommended, and the half that is recommended least has a quarter of the places',
    (_, microgenresOf) => {
      const counts = new Map(starter.map(({ key }) => [key, 0]))
      for (let n = 1; n <= 100; n++) {
        const listener = String(n)
        const microgenres = microgenresOf(listener)
        // Every fourth answer of each, so every answer 25 times.
        for (const answers of everyAnswer().filter((_, i) => i % 4 === n % 4))
          for (const { key } of byAnswers(microgenres, answers, listener))
            counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      const places = 100 * 36 * 4

      expect([...counts].filter(([, times]) => times === 0)).toEqual([])
      const fewest = [...counts.values()].toSorted((a, b) => a - b).slice(0, counts.size / 2)
      expect(fewest.reduce((sum, times) => sum + times, 0) / places).toBeGreaterThanOrEqual(0.25)
    },
  )

  test('blackgaze does not fit slow, mainstream and ambient', () => {
    const quiet = everyAnswer().filter(
      ({ energyPreference, familiarityLevel, musicMood }) =>
        energyPreference === 'slow' && familiarityLevel === 'mainstream' && musicMood === 'ambient',
    )
    expect(quiet).toHaveLength(3)
    for (const answers of quiet)
      for (const seed of SEEDS)
        expect(namesOf(byAnswers(starter, answers, seed).slice(0, 3))).not.toContain('blackgaze')
  })
})

describe('after a microgenre (discover-46)', () => {
  const completed = tagged('completed', {}, { family: 'Techno' })
  const next = (all: Microgenre[], { places = 4, seed = '1' } = {}) =>
    recommend(all, {
      limit: places,
      isEligible: ({ key }) => key !== completed.key,
      rankBy: 'affinity',
      fitOf: (microgenre) => fitToMicrogenre(microgenre, completed),
      seed,
    })

  test('the highest affinity is first, then tags in common, where the family counts as two', () => {
    const all = [
      tagged('alike'),
      tagged('related', { energy: ['fast'], vocals: ['instrumental'] }, { family: 'Techno' }),
      tagged('near', OTHER, { affinity: -1, likedName: 'completed' }),
      tagged('nearer', OTHER, { affinity: 0.5, likedName: 'another' }),
      tagged('foreign', OTHER),
      completed,
    ]

    const thirds = SEEDS.map((seed) => {
      const names = namesOf(next(all, { places: 9, seed }))
      expect(names.toSorted()).toEqual(['alike', 'foreign', 'near', 'nearer', 'related'])
      expect(names.slice(0, 2)).toEqual(['nearer', 'near'])
      return names[2]
    })

    expect(new Set(thirds)).toEqual(new Set(['alike', 'related']))
  })

  test('every fourth place is for one that is hardly explored, and says so', () => {
    const known = Array.from({ length: 12 }, (_, n) =>
      tagged(`known ${n}`, {}, { ratings: 900, affinity: -n, likedName: 'completed' }),
    )
    const unknown = Array.from({ length: 3 }, (_, n) => tagged(`unknown ${n}`, OTHER, { ratings: n }))
    const recommended = next([...unknown, ...known], { places: 12 })

    expect(recommended.map(({ name, reason }) => (reason === HARDLY_EXPLORED ? 'unknown' : name))).toEqual([
      ...['known 0', 'known 1', 'known 2', 'unknown'],
      ...['known 3', 'known 4', 'known 5', 'unknown'],
      ...['known 6', 'known 7', 'known 8', 'unknown'],
    ])
  })

  test('while all are explored alike, every place goes by affinity', () => {
    const all = Array.from({ length: 6 }, (_, n) =>
      tagged(`known ${n}`, {}, { ratings: 900, affinity: -n, likedName: 'completed' }),
    )

    expect(namesOf(next(all))).toEqual(['known 0', 'known 1', 'known 2', 'known 3'])
  })

  test('of two that fit as well, the one with twice the listeners wins two lots of three', () => {
    const all = [tagged('few', {}, { listeners: 60 }), tagged('many', {}, { listeners: 120 })]
    const wins = Array.from({ length: 1000 }, (_, n) => next(all, { seed: String(n) })[0]?.name)
    const share = wins.filter((name) => name === 'many').length / wins.length

    expect(share).toBeGreaterThan(0.61)
    expect(share).toBeLessThan(0.72)
  })
})

describe('reasons (discover-47)', () => {
  const reasonOf = (microgenre: Microgenre, fit = NO_FIT, ratings = 100) =>
    recommend([{ ...microgenre, ratings: 100 }, tagged('measure', {}, { ratings })], {
      limit: 1,
      isEligible: ({ key }) => key === microgenre.key,
      rankBy: 'affinity',
      fitOf: () => fit,
      seed: '1',
    })[0]?.reason

  test('listeners come before tags', () => {
    const affine = { affinity: -1, likedName: 'shoegaze' }
    const fit = fitToAnswers(tagged('any'), ANSWERS)

    expect(reasonOf(tagged('dream pop', {}, affine), fit)).toBe(
      'Listeners who banged in shoegaze bang in dream pop',
    )
    expect(reasonOf(tagged('dream pop'), fit)).toBe('Fits all four of your answers')
  })

  test.each([
    [{ mood: ['rhythmic'] }, 'Fits three of your four answers'],
    [{ mood: ['rhythmic'], energy: ['fast'] }, 'Fits two of your four answers'],
    [{ ...OTHER, energy: ['slow'] }, 'Fits one of your four answers'],
    [OTHER, null],
  ])('answers that fit are counted: %j', (tags, sentence) => {
    expect(fitToAnswers(tagged('any', tags), ANSWERS).reason).toBe(sentence)
  })

  test.each([
    [{}, 'Slow, vocal and ambient, like shoegaze'],
    [{ energy: ['fast'], vocals: ['instrumental'] }, 'Ambient and indie, like shoegaze'],
    [{ ...OTHER, energy: ['slow', 'weird'] }, 'Slow, like shoegaze'],
    [OTHER, 'Rock, like shoegaze'],
  ])('what two have in common is named: %j', (tags, sentence) => {
    const shoegaze = tagged('shoegaze', {}, { family: 'rock' })
    const other = tagged('other', tags, { family: 'rock' })

    expect(fitToMicrogenre(other, shoegaze).reason).toBe(sentence)
    expect(fitToMicrogenre(tagged('foreign', OTHER, { family: 'jazz' }), shoegaze).reason).toBeNull()
  })

  test('what fits nothing is hardly explored, or was picked at random', () => {
    expect(reasonOf(tagged('any'))).toBe(PICKED_AT_RANDOM)
    expect(reasonOf(tagged('any'), NO_FIT, 301)).toBe(HARDLY_EXPLORED)
    expect(reasonOf(tagged('any'), NO_FIT, 299)).toBe(PICKED_AT_RANDOM)
  })
})

function byAnswers(
  all: Microgenre[],
  answers: Preferences,
  seed: string,
  fitOf = (microgenre: Microgenre): Fit => fitToAnswers(microgenre, answers),
) {
  return recommend(all, {
    limit: 4,
    isEligible: () => true,
    rankBy: 'fit',
    fitOf,
    seed: [seed, ...Object.values(answers)].join(' '),
  })
}

/** In an order that has nothing to do with their tags, from place 1. */
function withListeners(microgenres: Microgenre[], listenersAt: (place: number) => number): Microgenre[] {
  return microgenres
    .toSorted((one, other) => (hash('md5', one.key) < hash('md5', other.key) ? -1 : 1))
    .map((microgenre, index) => {
      const listeners = Math.floor(listenersAt(index + 1))
      return { ...microgenre, listeners: listeners < 10 ? 0 : listeners, ratings: listeners * 30 }
    })
}

/** For a listener, four in ten of those with a hundred listeners have an affinity, the highest where most bang. */
function withAffinities(microgenres: Microgenre[], listener: string): Microgenre[] {
  return microgenres.map((microgenre) =>
    microgenre.listeners >= 100 && hash('md5', `${listener} ${microgenre.key}`) < '66'
      ? { ...microgenre, affinity: Math.log(microgenre.listeners / 3000), likedName: 'another' }
      : microgenre,
  )
}

/** All 144 combinations of answers. */
function everyAnswer(): Preferences[] {
  const questions = Object.entries(Preferences.shape)
  return questions.reduce<object[]>(
    (all, [name, { options }]) =>
      all.flatMap((answers) => options.map((option) => ({ ...answers, [name]: option }))),
    [{}],
  ) as Preferences[]
}

/** Computed differently from the code. */
function points(microgenre: MicrogenreTags, answers: Preferences): number {
  const { energy, vocals, familiarity, mood } = microgenre
  const tags = new Set([...energy, ...vocals, ...familiarity, ...mood, 'mixed', 'both'])
  return Object.values(answers).filter((answer) => tags.has(answer)).length
}

/** A microgenre that matches all four answers, with these changes. Nothing is known of it. */
function tagged(
  name: string,
  tags: Partial<MicrogenreTags> = {},
  known: Partial<Microgenre> = {},
): Microgenre {
  return {
    key: name,
    name,
    family: 'rock',
    energy: ['slow'],
    vocals: ['vocal'],
    familiarity: ['indie'],
    mood: ['ambient'],
    ...nothingKnown,
    ...tags,
    ...known,
  }
}

const namesOf = (microgenres: { name: string }[]) => microgenres.map(({ name }) => name)
