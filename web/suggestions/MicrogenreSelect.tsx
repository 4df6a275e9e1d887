import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { listMicrogenres } from '../../contract/discovery.ts'
import { query } from '../api/query.ts'
import { Select } from '../ui/controls/Field.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'

interface MicrogenreSelectProps {
  /** Null while nothing is chosen. */
  value: string | null
  onChange: (microgenreId: string) => void
}

/** Every microgenre by name. */
export function MicrogenreSelect({ value, onChange }: MicrogenreSelectProps) {
  const id = useId()
  const { data, isError, refetch } = useQuery(query(listMicrogenres))
  if (isError && !data) return <LoadFailure onRetry={refetch}>The microgenres did not load.</LoadFailure>
  const genres = (data ?? []).toSorted((a, b) => a.name.localeCompare(b.name))
  const isKnown = genres.some((genre) => genre.id === value)
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        Microgenre
      </label>
      <Select
        id={id}
        value={isKnown && value ? value : ''}
        options={[
          ...(isKnown ? [] : [{ value: '', name: data ? 'Choose one' : 'Loading...' }]),
          ...genres.map((genre) => ({ value: genre.id, name: genre.name })),
        ]}
        onChange={onChange}
        className="min-h-12"
      />
    </div>
  )
}
