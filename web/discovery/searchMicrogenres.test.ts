import { expect, it } from 'vitest'
import { searchMicrogenres } from './searchMicrogenres.ts'

const all = [
  { name: 'dub', description: 'Echo and reverb. Jamaica, early 1970s.' },
  { name: 'dream pop', description: 'Soft voices over echoing guitars.' },
  { name: 'city pop', description: 'Glossy pop for driving at night. Japan.' },
]
const names = (wanted: string) => searchMicrogenres(all, wanted).map(({ name }) => name)

it.each([
  ['', ['dub', 'dream pop', 'city pop']],
  ['  POP ', ['dream pop', 'city pop']],
  ['pop dream', ['dream pop']],
  ['echo', ['dub', 'dream pop']],
  ['city jap', ['city pop']],
  ['.*', []],
])('%j finds %j', (wanted, found) => {
  expect(names(wanted)).toEqual(found)
})

it('puts names before descriptions', () => {
  const both = [{ name: 'night drive', description: 'Not dub.' }, ...all]
  expect(searchMicrogenres(both, 'dub').map(({ name }) => name)).toEqual(['dub', 'night drive'])
})
