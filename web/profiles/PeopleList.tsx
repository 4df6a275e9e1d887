import { useQuery } from '@tanstack/react-query'
import { foldText } from '../../contract/foldText.ts'
import { listPublicUsers, MAX_PUBLIC_USERS, type Person, type Profile } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'
import { useCurrentUser } from '../auth/currentUser.ts'
import { SearchField, useDebouncedValue } from '../ui/controls/SearchField.tsx'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { displayName } from './displayName.tsx'
import { PersonRow } from './PersonRow.tsx'

interface PeopleListProps {
  searchText: string
  onSearch: (searchText: string) => void
  onChoose: (id: string) => void
  /** The profile that was just viewed: the focus returns to its row. */
  lastViewedId: string | null
}

export function PeopleList({ searchText, onSearch, onChoose, lastViewedId }: PeopleListProps) {
  const { user } = useCurrentUser()
  const { people, isError, refetch } = usePeople(searchText)

  if (!people) {
    if (isError) {
      return (
        <LoadFailure isMain onRetry={refetch}>
          The list did not load.
        </LoadFailure>
      )
    }
    return <Loading>Looking for people...</Loading>
  }
  const found = searchPeople(people, searchText, user?.id ?? null)
  return (
    <>
      <SearchField
        label="Search by name, e-mail or bio"
        placeholder="Search by name, e-mail or bio"
        dir="auto"
        maxLength={100}
        value={searchText}
        onChange={onSearch}
      />
      {found.length > 0 && (
        <ul>
          {found.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              onChoose={() => onChoose(person.id)}
              takesFocus={person.id === lastViewedId}
            />
          ))}
        </ul>
      )}
      <p role="status" className={found.length > 0 ? 'sr-only' : 'text-base wrap-anywhere text-ink-2'}>
        {formatResultCount(found, searchText.trim())}
      </p>
    </>
  )
}

function formatResultCount(found: Person[], searchText: string): string {
  if (found.length > 0) return found.length === 1 ? '1 listener' : `${found.length} listeners`
  return searchText ? `Nobody found for “${searchText}”.` : 'Nobody has made their profile public yet.'
}

/**
 * Public listeners to search. The list has a limited length: when it is full, the server searches as well, once typing
 * pauses.
 */
function usePeople(searchText: string) {
  const allPeople = useQuery(query(listPublicUsers))
  const isTruncated = (allPeople.data?.length ?? 0) >= MAX_PUBLIC_USERS
  const debouncedText = useDebouncedValue(searchText.trim())
  const matchingPeople = useQuery({
    ...query(listPublicUsers, { query: { search: debouncedText } }),
    enabled: isTruncated && debouncedText !== '',
  })
  // Until the server answers, only the loaded listeners are searched.
  const people =
    isTruncated && debouncedText === searchText.trim()
      ? (matchingPeople.data ?? allPeople.data)
      : allPeople.data
  return { people, isError: allPeople.isError, refetch: allPeople.refetch }
}

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
