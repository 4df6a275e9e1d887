import { foldText } from '../../contract/foldText.ts'
import type { Profile } from '../../contract/profiles.ts'
import { displayName } from './displayName.ts'

/**
 * Listeners whose name, e-mail or bio contains the text, ignoring case and accents, without the caller (people-11). A
 * blank text matches all.
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
