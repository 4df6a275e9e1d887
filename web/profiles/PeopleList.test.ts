import { describe, expect, test } from 'vitest'
import type { Profile } from '../../contract/profiles.ts'
import { searchPeople } from './PeopleList.tsx'

const ada = person('1', { firstName: 'Ada', lastName: 'Lovelace', email: 'countess@example.org' })
const layla = person('2', { firstName: 'ليلى', lastName: 'حداد', bio: 'Oud & Trip Hop 🎧' })
const nobody = person('3', {})
const zoe = person('4', { firstName: 'Zoë', lastName: 'ŻÓŁW' })
const people = [ada, layla, nobody, zoe]

describe('searchPeople', () => {
  test.each([
    ['LOVE', [ada]],
    ['ada love', [ada]],
    ['Countess@', [ada]],
    ['trip hop', [layla]],
    ['ليلى', [layla]],
    ['🎧', [layla]],
    ['zoe zolw', [zoe]],
    ['Zoe\u0308', [zoe]],
    ['explorer', [nobody]],
    ['   ', people],
  ])('"%s" is found in name, e-mail or bio, ignoring case (people-11)', (searchText, found) => {
    expect(searchPeople(people, searchText, null)).toEqual(found)
  })

  test.each(['.*(', '%', '_', '\\', '[a-z]'])('"%s" is matched literally (people-11)', (searchText) => {
    expect(searchPeople(people, searchText, null)).toEqual([])
  })

  test('never oneself, also with an empty search (people-10)', () => {
    expect(searchPeople(people, '', '1')).toEqual([layla, nobody, zoe])
    expect(searchPeople(people, 'ada', '1')).toEqual([])
  })
})

function person(id: string, fields: Partial<Profile>): Profile {
  return {
    id,
    firstName: null,
    lastName: null,
    email: null,
    profileImageUrl: null,
    bio: null,
    isPublic: true,
    createdAt: '2026-01-01T00:00:00Z',
    followerCount: 0,
    followingCount: 0,
    ...fields,
  }
}
