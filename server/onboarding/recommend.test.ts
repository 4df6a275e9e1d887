import { expect, test } from 'vitest'
import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import { Preferences } from '../../contract/onboarding.ts'
import { packageFolder } from '../packageFolder.ts'
import { recommend, type TaggedMicrogenre } from './recommend.ts'

/* onboarding-5: each microgenre has tags for the four questions; its score is the number of answers among them. */

const ANSWERS: Preferences = {
  energyPreference: 'slow',
  vocalPreference: 'vocal',
  familiarityLevel: 'indie',
  musicMood: 'ambient',
}

test('more matching answers rank higher', () => {
  const four = tagged('Z four')
  const three = tagged('Y three', { mood: ['rhythmic'] })
  const two = tagged('X two', { mood: ['rhythmic'], energy: ['fast'] })
  const none = tagged('A none', {
    mood: ['rhythmic'],
    energy: ['fast'],
    vocals: ['instrumental'],
    familiarity: ['obscure'],
  })

  expect(namesOf(recommend([none, two, three, four], ANSWERS))).toEqual(['Z four', 'Y three', 'X two'])
})

test('each of the four questions has the same weight', () => {
  const other = {
    energy: ['fast'],
    vocals: ['instrumental'],
    familiarity: ['obscure'],
    mood: ['rhythmic'],
  }
  const missing = Object.entries(other).map(([tag, values], index) =>
    tagged(`${4 - index} not ${tag}`, { [tag]: values }),
  )

  expect(namesOf(recommend(missing, ANSWERS))).toEqual([
    '1 not mood',
    '2 not familiarity',
    '3 not vocals',
    '4 not energy',
  ])
})

test('one matching tag is enough, and more of them do not add to the score', () => {
  const many = tagged('B many', { energy: ['fast', 'slow', 'weird'], mood: ['rhythmic', 'ambient'] })
  const few = tagged('A few')

  expect(namesOf(recommend([many, few], ANSWERS))).toEqual(['A few', 'B many'])
})

test("'mixed' and 'both' fit every microgenre", () => {
  const fast = tagged('A', { energy: ['fast'], vocals: ['instrumental'] })
  const slow = tagged('B')

  expect(namesOf(recommend([slow, fast], ANSWERS))).toEqual(['B', 'A'])
  expect(
    namesOf(recommend([slow, fast], { ...ANSWERS, energyPreference: 'mixed', vocalPreference: 'both' })),
  ).toEqual(['A', 'B'])
})

test('ties are sorted by name, ignoring case and input order', () => {
  const microgenres = ['delta', 'Bravo', 'alpha', 'Charlie'].map((name) => tagged(name))

  expect(namesOf(recommend(microgenres, ANSWERS))).toEqual(['alpha', 'Bravo', 'Charlie', 'delta'])
  expect(namesOf(recommend(microgenres.toReversed(), ANSWERS))).toEqual([
    'alpha',
    'Bravo',
    'Charlie',
    'delta',
  ])
})

test('a fourth and a fifth are added only when they match as well as the third', () => {
  const best = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => tagged(name))
  const worse = tagged('0 worse', { energy: ['fast'] })

  expect(namesOf(recommend([worse, ...best.slice(0, 3)], ANSWERS))).toEqual(['A', 'B', 'C'])
  expect(namesOf(recommend([worse, ...best.slice(0, 4)], ANSWERS))).toEqual(['A', 'B', 'C', 'D'])
  expect(namesOf(recommend([worse, ...best], ANSWERS))).toEqual(['A', 'B', 'C', 'D', 'E'])
})

test('when little matches, the best available are returned', () => {
  const unfit = tagged('Unfit', {
    energy: ['fast'],
    vocals: ['instrumental'],
    familiarity: ['obscure'],
    mood: ['rhythmic'],
  })

  expect(namesOf(recommend([unfit], ANSWERS))).toEqual(['Unfit'])
  expect(recommend([], ANSWERS)).toEqual([])
})

const starter = readCatalogue(packageFolder('catalogue')).microgenres

test.each(everyAnswer())(
  'with the starter catalogue: $energyPreference, $vocalPreference, $familiarityLevel, $musicMood',
  (answers) => {
    const before = structuredClone(starter)
    const recommended = recommend(starter, answers)

    expect(recommended.length).toBeGreaterThanOrEqual(3)
    expect(recommended.length).toBeLessThanOrEqual(5)
    expect(new Set(namesOf(recommended)).size).toBe(recommended.length)
    expect(namesOf(recommend(starter.toReversed(), answers))).toEqual(namesOf(recommended))
    expect(starter).toEqual(before)
    // The lowest of them matches at least as well as any that was left out.
    const fits = starter.map((microgenre) => points(microgenre, answers))
    expect(recommended.map((microgenre) => points(microgenre, answers))).toEqual(
      fits.toSorted((a, b) => b - a).slice(0, recommended.length),
    )
  },
)

test('each microgenre of the starter catalogue is recommended for some answers, except those that others precede', () => {
  const recommended = new Set(everyAnswer().flatMap((answers) => namesOf(recommend(starter, answers))))

  expect(starter.length).toBeGreaterThanOrEqual(60)
  // For any answers, five others match as well and have earlier names.
  expect(namesOf(starter).filter((name) => !recommended.has(name))).toEqual([
    'doom metal',
    'highlife',
    'jangle pop',
    'Midwest emo',
    'minimal techno',
    'noise pop',
    'psychobilly',
    'rocksteady',
    'shoegaze',
    'ska punk',
    'slowcore',
    'stoner rock',
    'UK garage',
    'zydeco',
  ])
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
