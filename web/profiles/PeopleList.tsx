import { useQuery } from '@tanstack/react-query'
import { listPublicUsers, MAX_PUBLIC_USERS, type Person } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { SearchField, useDebouncedValue } from '../ui/SearchField.tsx'
import { Loading } from '../ui/Spinner.tsx'
import { PersonRow } from './PersonRow.tsx'
import { searchPeople } from './searchPeople.ts'

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
        <LoadFailure onRetry={refetch}>
          The list did not load. Check your connection and try again.
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
