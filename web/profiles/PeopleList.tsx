import { Search } from 'lucide-react'
import type { Profile } from '../../contract/profiles.ts'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { PersonRow } from './PersonRow.tsx'
import { searchPeople } from './searchPeople.ts'
import { usePeople } from './usePeople.ts'

interface PeopleListProps {
  wanted: string
  onWanted: (wanted: string) => void
  onChoose: (id: string) => void
  /** The profile that was just viewed: the focus returns to its row. */
  returnedFrom: string | null
}

export function PeopleList({ wanted, onWanted, onChoose, returnedFrom }: PeopleListProps) {
  const { user } = useCurrentUser()
  const { people, isError, refetch } = usePeople(wanted)

  if (!people) {
    if (isError) {
      return (
        <LoadFailure onRetry={() => void refetch()}>
          The list did not load. Check your connection and try again.
        </LoadFailure>
      )
    }
    return (
      <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-ink-2">
        <Spinner /> Looking for people...
      </p>
    )
  }
  const found = searchPeople(people, wanted, user?.id ?? null)
  return (
    <>
      <SearchField value={wanted} onChange={onWanted} />
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
      <p role="status" className={found.length > 0 ? 'sr-only' : 'text-base text-ink-2'}>
        {summary(found, wanted.trim())}
      </p>
    </>
  )
}

function summary(found: Profile[], wanted: string): string {
  if (found.length > 0) return found.length === 1 ? '1 listener' : `${found.length} listeners`
  return wanted ? `Nobody found for “${wanted}”.` : 'Nobody has made their profile public yet.'
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    // Sticky while the list scrolls.
    <div className="sticky -top-1 z-1 -mx-1 bg-surface px-1 pt-1 pb-2 wide:-top-2">
      <label className="relative block">
        <span className="sr-only">Search by name, e-mail or bio</span>
        <Search
          className="pointer-events-none absolute top-1/2 left-3.5 size-5 -translate-y-1/2 text-ink-3"
          strokeWidth={1.75}
          aria-hidden="true"
        />
        <input
          type="search"
          dir="auto"
          value={value}
          maxLength={100}
          placeholder="Search by name, e-mail or bio"
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
          className="min-h-12 w-full rounded-control border border-line-strong bg-surface pr-3.5 pl-11 text-base text-ink placeholder:text-ink-3"
        />
      </label>
    </div>
  )
}
