import { expect, it } from 'vitest'
import { noFilter, searchMicrogenres } from './searchMicrogenres.ts'

const all = [
  {
    name: 'dub',
    description: 'Echo and reverb. Jamaica, early 1970s.',
    family: 'reggae',
    mood: ['rhythmic'],
    reason: null,
  },
  {
    name: 'dream pop',
    description: 'Soft voices over echoing guitars.',
    family: 'rock',
    mood: ['emotional'],
    reason: null,
  },
  {
    name: 'city pop',
    description: 'Glossy pop for driving at night. Japan.',
    family: 'pop',
    mood: ['emotional', 'rhythmic'],
    reason: null,
  },
]
const names = (wanted: Partial<typeof noFilter>) =>
  searchMicrogenres(all, { ...noFilter, ...wanted }).map(({ name }) => name)

it.each([
  ['', ['dub', 'dream pop', 'city pop']],
  ['  POP ', ['dream pop', 'city pop']],
  ['pop dream', ['dream pop']],
  ['echo', ['dub', 'dream pop']],
  ['city jap', ['city pop']],
  ['.*', []],
])('%j finds %j', (words, found) => {
  expect(names({ text: words })).toEqual(found)
})

it.each([
  ['forro', 'Forró'],
  ['TROPICALIA', 'Tropica\u0301lia'],
  ['rai', 'Raï'],
  ['ＣＩＴＹ pop', 'city pop'],
])('%j finds %s', (words, name) => {
  const one = { name, description: '', family: '', mood: [], reason: null }
  expect(searchMicrogenres([one], { ...noFilter, text: words })).toEqual([one])
})

it('puts names before descriptions', () => {
  const night = { name: 'night drive', description: 'Not dub.', family: 'pop', mood: [], reason: null }
  const found = searchMicrogenres([night, ...all], { ...noFilter, text: 'dub' })
  expect(found.map(({ name }) => name)).toEqual(['dub', 'night drive'])
})

it('discover-32: family and mood narrow what the words find', () => {
  expect(names({ mood: 'rhythmic' })).toEqual(['dub', 'city pop'])
  expect(names({ mood: 'rhythmic', text: 'pop' })).toEqual(['city pop'])
  expect(names({ family: 'rock' })).toEqual(['dream pop'])
  expect(names({ family: 'rock', mood: 'rhythmic' })).toEqual([])
})

it('discover-47: the recommended ones come first until words are searched', () => {
  const recommended = all.map((one) => ({
    ...one,
    reason: one.name === 'city pop' ? 'Hardly explored yet' : null,
  }))
  const found = (words: string) =>
    searchMicrogenres(recommended, { ...noFilter, text: words }).map(({ name }) => name)
  expect(found(' ')).toEqual(['city pop', 'dub', 'dream pop'])
  expect(found('pop')).toEqual(['dream pop', 'city pop'])
})
