import { foldText } from '../../contract/foldText.ts'
import type { Profile } from '../../contract/profiles.ts'
import { displayName } from './displayName.ts'

/**
 * Listeners with `wanted` in name, e-mail or bio, however typed, without the caller (people-11). All of them for a
 * blank search.
 */
export function searchPeople<Person extends Profile>(
  people: readonly Person[],
  wanted: string,
  myId: string | null,
): Person[] {
  const text = foldText(wanted).trim()
  return people.filter(
    (person) => person.id !== myId && searched(person).some((part) => foldText(part).includes(text)),
  )
}

const searched = (person: Profile) => [displayName(person), person.email ?? '', person.bio ?? '']
