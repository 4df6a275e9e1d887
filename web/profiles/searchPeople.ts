import type { Profile } from '../../contract/profiles.ts'
import { displayName } from './displayName.ts'

/**
 * The listeners that have `wanted` in name, e-mail or bio, whatever the case and to the letter, without the
 * one who searches (spec §5). All of them for a blank search.
 */
export function searchPeople(people: readonly Profile[], wanted: string, myId: string | null): Profile[] {
  const text = wanted.trim().toLowerCase()
  return people.filter(
    (person) => person.id !== myId && searched(person).some((part) => part.toLowerCase().includes(text)),
  )
}

const searched = (person: Profile) => [displayName(person), person.email ?? '', person.bio ?? '']
