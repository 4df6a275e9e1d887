import { expect, test } from 'vitest'
import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import { Preferences } from '../../contract/onboarding.ts'
import { packageFolder } from '../packageFolder.ts'
import { recommend, type TaggedMicrogenre } from './recommend.ts'

/* onboarding-5: each microgenre has tags for the four questions; its points are the answers among them. */

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

/** Ids of listeners. */
const SEEDS = Array.from({ length: 40 }, (_, n) => String(n + 1))

test('more matching answers rank higher, whatever the seed', () => {
  const four = tagged('Z four')
  const three = tagged('Y three', { mood: ['rhythmic'] })
  const two = tagged('X two', { mood: ['rhythmic'], energy: ['fast'] })
  const none = tagged('A none', OTHER)

  for (const seed of SEEDS)
    expect(namesOf(recommend([none, two, three, four], ANSWERS, seed))).toEqual([
      'Z four',
      'Y three',
      'X two',
    ])
})

test('each of the four questions has the same weight', () => {
  const withoutOne = Object.entries(OTHER).map(([tag, values]) => tagged(`not ${tag}`, { [tag]: values }))
  const withoutTwo = tagged('not two', { energy: ['fast'], vocals: ['instrumental'] })

  for (const seed of SEEDS) {
    const recommended = recommend([withoutTwo, ...withoutOne], ANSWERS, seed)
    expect(namesOf(recommended).toSorted()).toEqual(namesOf(withoutOne).toSorted())
  }
})

test('one matching tag is enough, and more of them do not add points', () => {
  const many = tagged('many', { energy: ['fast', 'slow', 'weird'], mood: ['rhythmic', 'ambient'] })
  const others = ['A', 'B', 'C', 'D'].map((name) => tagged(name))

  expect(namesOf(recommend([many, ...others], ANSWERS, '1')).toSorted()).toEqual(['A', 'B', 'C', 'D', 'many'])
})

test("'mixed' and 'both' fit every microgenre", () => {
  const fast = tagged('fast', { energy: ['fast'], vocals: ['instrumental'] })
  const slow = ['A', 'B', 'C'].map((name) => tagged(name))
  const indifferent: Preferences = { ...ANSWERS, energyPreference: 'mixed', vocalPreference: 'both' }

  expect(namesOf(recommend([fast, ...slow], ANSWERS, '1'))).not.toContain('fast')
  expect(namesOf(recommend([fast, ...slow], indifferent, '1'))).toContain('fast')
})

test('among as many points a much nearer one is first: its tags stand alone', () => {
  const near = tagged('Z near')
  const far = tagged('A far', {
    energy: ['fast', 'slow'],
    vocals: ['vocal', 'instrumental'],
    mood: ['rhythmic', 'ambient'],
  })

  for (const seed of SEEDS) expect(namesOf(recommend([far, near], ANSWERS, seed))[0]).toBe('Z near')
})

test('of a familiarity that does not match, the next level is nearer than the far one', () => {
  const answers: Preferences = { ...ANSWERS, familiarityLevel: 'mainstream' }
  const next = tagged('next', { familiarity: ['indie'] })
  const far = tagged('far', { familiarity: ['obscure'] })
  const firsts = SEEDS.map((seed) => recommend([far, next], answers, seed)[0]?.name)

  expect(firsts.filter((name) => name === 'next').length).toBeGreaterThan(SEEDS.length / 2)
  expect(firsts).toContain('far')
})

test('among equals chance decides: not the name or the order, and the same for the same seed and answers', () => {
  const microgenres = ['alpha', 'Bravo', 'Charlie', 'delta', 'echo', 'foxtrot'].map((name) => tagged(name))
  const lists = SEEDS.map((seed) => namesOf(recommend(microgenres, ANSWERS, seed)))

  expect(SEEDS.map((seed) => namesOf(recommend(microgenres.toReversed(), ANSWERS, seed)))).toEqual(lists)
  expect(new Set(lists.map(([first]) => first)).size).toBe(microgenres.length)
  const others = SEEDS.map((seed) =>
    namesOf(recommend(microgenres, { ...ANSWERS, vocalPreference: 'both' }, seed)),
  )
  expect(others).not.toEqual(lists)
})

test('a fourth and a fifth are added only when they match as well as the third', () => {
  const best = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => tagged(name))
  const worse = tagged('0 worse', { energy: ['fast'] })

  expect(namesOf(recommend([worse, ...best.slice(0, 3)], ANSWERS, '1')).toSorted()).toEqual(['A', 'B', 'C'])
  expect(recommend([worse, ...best.slice(0, 4)], ANSWERS, '1')).toHaveLength(4)
  expect(recommend([worse, ...best], ANSWERS, '1')).toHaveLength(5)
  expect(recommend([worse, ...best], ANSWERS, '1')).not.toContain(worse)
})

test('when little matches, the best available are returned', () => {
  const unfit = tagged('Unfit', OTHER)

  expect(namesOf(recommend([unfit], ANSWERS, '1'))).toEqual(['Unfit'])
  expect(recommend([], ANSWERS, '1')).toEqual([])
})

const starter = readCatalogue(packageFolder('catalogue')).microgenres

test.each(everyAnswer())(
  'with the starter catalogue: $energyPreference, $vocalPreference, $familiarityLevel, $musicMood',
  (answers) => {
    const before = structuredClone(starter)
    // The lowest of them matches at least as well as any that was left out.
    const best = starter.map((microgenre) => points(microgenre, answers)).toSorted((a, b) => b - a)
    for (const seed of SEEDS.slice(0, 5)) {
      const recommended = recommend(starter, answers, seed)

      expect(recommended.length).toBeGreaterThanOrEqual(3)
      expect(recommended.length).toBeLessThanOrEqual(5)
      expect(new Set(namesOf(recommended)).size).toBe(recommended.length)
      expect(namesOf(recommend(starter.toReversed(), answers, seed))).toEqual(namesOf(recommended))
      expect(recommended.map((microgenre) => points(microgenre, answers))).toEqual(
        best.slice(0, recommended.length),
      )
    }
    expect(starter).toEqual(before)
  },
)

test('over all answers every microgenre of the starter catalogue is recommended, none more than four times its share, and none for its name', () => {
  const names = everyAnswer().flatMap((answers) =>
    SEEDS.flatMap((seed) => namesOf(recommend(starter, answers, seed))),
  )
  const shares = starter.map(({ name }) => ({
    name,
    share: (names.filter((other) => other === name).length / names.length) * starter.length,
  }))

  expect(starter.length).toBeGreaterThanOrEqual(60)
  expect(shares.filter(({ share }) => share === 0)).toEqual([])
  expect(shares.filter(({ share }) => share > 4)).toEqual([])
  const firstHalf = new Set(
    namesOf(starter)
      .toSorted()
      .slice(0, starter.length / 2),
  )
  const early = names.filter((name) => firstHalf.has(name)).length / names.length
  expect(early).toBeGreaterThan(0.4)
  expect(early).toBeLessThan(0.6)
})

test('blackgaze is not for slow, mainstream and ambient', () => {
  const quiet = everyAnswer().filter(
    ({ energyPreference, familiarityLevel, musicMood }) =>
      energyPreference === 'slow' && familiarityLevel === 'mainstream' && musicMood === 'ambient',
  )
  expect(quiet).toHaveLength(3)
  for (const answers of quiet)
    for (const seed of SEEDS) expect(namesOf(recommend(starter, answers, seed))).not.toContain('blackgaze')
})

/** All 144 combinations of answers. */
function everyAnswer(): Preferences[] {
  const { energyPreference, vocalPreference, familiarityLevel, musicMood } = Preferences.shape
  return energyPreference.options.flatMap((energy) =>
    vocalPreference.options.flatMap((vocals) =>
      familiarityLevel.options.flatMap((familiarity) =>
        musicMood.options.map((mood) => ({
          energyPreference: energy,
          vocalPreference: vocals,
          familiarityLevel: familiarity,
          musicMood: mood,
        })),
      ),
    ),
  )
}

/** Computed differently from the code. */
function points(microgenre: TaggedMicrogenre, answers: Preferences): number {
  const tags = new Set([
    ...microgenre.energy,
    ...microgenre.vocals,
    ...microgenre.familiarity,
    ...microgenre.mood,
    'mixed',
    'both',
  ])
  return Object.values(answers).filter((answer) => tags.has(answer)).length
}

/** A microgenre that matches all four answers, with these changes. */
const tagged = (name: string, tags: Partial<TaggedMicrogenre> = {}): TaggedMicrogenre => ({
  name,
  energy: ['slow'],
  vocals: ['vocal'],
  familiarity: ['indie'],
  mood: ['ambient'],
  ...tags,
})

const namesOf = (microgenres: { name: string }[]) => microgenres.map(({ name }) => name)
