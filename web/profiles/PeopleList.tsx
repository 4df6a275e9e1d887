import { useQuery } from '@tanstack/react-query'
import { listPublicUsers, MAX_PUBLIC_USERS, type Person } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { SearchField, usePaused } from '../ui/SearchField.tsx'
import { Loading } from '../ui/Spinner.tsx'
import { PersonRow } from './PersonRow.tsx'
import { searchPeople } from './searchPeople.ts'

interface PeopleListProps {
  searchText: string
  onSearch: (wanted: string) => void
  onChoose: (id: string) => void
  /** The profile that was just viewed: the focus returns to its row. */
  lastViewedId: string | null
}

export function PeopleList({
  searchText: wanted,
  onSearch: onWanted,
  onChoose,
  lastViewedId: returnedFrom,
}: PeopleListProps) {
  const { user } = useCurrentUser()
  const { people, isError, refetch } = usePeople(wanted)

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
  const found = searchPeople(people, wanted, user?.id ?? null)
  return (
    <>
      <SearchField
        label="Search by name, e-mail or bio"
        placeholder="Search by name, e-mail or bio"
        dir="auto"
        maxLength={100}
        value={wanted}
        onChange={onWanted}
      />
      {found.length > 0 && (
        <ul>
          {found.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              onChoose={() => onChoose(person.id)}
              takesFocus={person.id === returnedFrom}
            />
          ))}
        </ul>
      )}
      <p role="status" className={found.length > 0 ? 'sr-only' : 'text-base wrap-anywhere text-ink-2'}>
        {summary(found, wanted.trim())}
      </p>
    </>
  )
}

function summary(found: Person[], wanted: string): string {
  if (found.length > 0) return found.length === 1 ? '1 listener' : `${found.length} listeners`
  return wanted ? `Nobody found for “${wanted}”.` : 'Nobody has made their profile public yet.'
}

/**
 * Public listeners to search. One answer has a limited length; when there may be more, the server is asked for the
 * text too, once typing pauses.
 */
function usePeople(wanted: string) {
  const everybody = useQuery(query(listPublicUsers))
  const isCut = (everybody.data?.length ?? 0) >= MAX_PUBLIC_USERS
  const search = usePaused(wanted.trim())
  const matching = useQuery({
    ...query(listPublicUsers, { query: { search } }),
    enabled: isCut && search !== '',
  })
  // Until the server answers, the known listeners are searched.
  const people = isCut && search === wanted.trim() ? (matching.data ?? everybody.data) : everybody.data
  return { people, isError: everybody.isError, refetch: everybody.refetch }
}
