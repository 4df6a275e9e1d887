import { foldText } from '../../contract/foldText.ts'
import type { Profile } from '../../contract/profiles.ts'
import { displayName } from './displayName.ts'

/**
 * Listeners with `wanted` in name, e-mail or bio, however typed, without the caller (people-11). All of them for a
 * blank search.
 */
export function searchPeople<Person extends Profile>(
  people: readonly Person[],
  searchText: string,
  myId: string | null,
): Person[] {
  const text = foldText(searchText).trim()
  return people.filter(
    (person) => person.id !== myId && searchableTexts(person).some((part) => foldText(part).includes(text)),
  )
}

const searchableTexts = (person: Profile) => [displayName(person), person.email ?? '', person.bio ?? '']
