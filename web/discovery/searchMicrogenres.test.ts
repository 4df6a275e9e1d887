import { describe, expect, it } from 'vitest'
import { anything, searchMicrogenres, surprise } from './searchMicrogenres.ts'

const all = [
  {
    name: 'dub',
    description: 'Echo and reverb. Jamaica, early 1970s.',
    family: 'reggae',
    mood: ['rhythmic'],
  },
  {
    name: 'dream pop',
    description: 'Soft voices over echoing guitars.',
    family: 'rock',
    mood: ['emotional'],
  },
  {
    name: 'city pop',
    description: 'Glossy pop for driving at night. Japan.',
    family: 'pop',
    mood: ['emotional', 'rhythmic'],
  },
]
const names = (wanted: Partial<typeof anything>) =>
  searchMicrogenres(all, { ...anything, ...wanted }).map(({ name }) => name)

it.each([
  ['', ['dub', 'dream pop', 'city pop']],
  ['  POP ', ['dream pop', 'city pop']],
  ['pop dream', ['dream pop']],
  ['echo', ['dub', 'dream pop']],
  ['city jap', ['city pop']],
  ['.*', []],
])('%j finds %j', (words, found) => {
  expect(names({ words })).toEqual(found)
})

it('puts names before descriptions', () => {
  const night = { name: 'night drive', description: 'Not dub.', family: 'pop', mood: [] }
  const found = searchMicrogenres([night, ...all], { ...anything, words: 'dub' })
  expect(found.map(({ name }) => name)).toEqual(['dub', 'night drive'])
})

it('discover-32: family and mood narrow what the words find', () => {
  expect(names({ mood: 'rhythmic' })).toEqual(['dub', 'city pop'])
  expect(names({ mood: 'rhythmic', words: 'pop' })).toEqual(['city pop'])
  expect(names({ family: 'rock' })).toEqual(['dream pop'])
  expect(names({ family: 'rock', mood: 'rhythmic' })).toEqual([])
})

describe('discover-32: a surprise', () => {
  const left = { id: 'left', songCount: 9, unratedCount: 2 }
  const rated = { id: 'rated', songCount: 9, unratedCount: 0 }
  const empty = { id: 'empty', songCount: 0, unratedCount: 0 }
  const current = { id: 'current', songCount: 9, unratedCount: 9 }

  it('has songs left, and is not the current one', () => {
    for (let n = 0; n < 20; n++) expect(surprise([empty, rated, left, current], 'current')).toBe(left)
  })

  it('is one that is rated when nothing else is left', () => {
    expect(surprise([empty, rated, current], 'current')).toBe(rated)
  })

  it('is nothing where only the current one is found', () => {
    expect(surprise([current, empty], 'current')).toBeNull()
  })
})
