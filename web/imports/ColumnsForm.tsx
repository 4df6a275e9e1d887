import { useId, useState } from 'react'
import { Select } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'

interface ColumnsFormProps {
  /** Names of the file's columns. */
  header: readonly string[]
  isPending: boolean
  /** `title=Song,artist=Band`. */
  onSubmit: (columns: string) => void
}

/** Names the columns of a table that the server does not know. Title and artist are needed. */
export function ColumnsForm({ header, isPending, onSubmit }: ColumnsFormProps) {
  const id = useId()
  const [chosen, setChosen] = useState<Record<string, string>>({})
  // What names columns separates them by commas.
  const names = [...new Set(header)].filter((column) => column && !column.includes(','))
  const options = [{ value: '', name: 'None' }, ...names.map((column) => ({ value: column, name: column }))]
  const columns = fields.flatMap(({ field }) => (chosen[field] ? [`${field}=${chosen[field]}`] : []))
  return (
    <Form
      onSubmit={() => onSubmit(columns.join(','))}
      className="grid max-w-md grid-cols-[minmax(0,1fr)] gap-4"
    >
      {fields.map(({ field, name }) => (
        <div key={field} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <label htmlFor={`${id}${field}`} className="font-semibold">
            {name}
          </label>
          <Select
            id={`${id}${field}`}
            value={chosen[field] ?? ''}
            options={options}
            onChange={(column) => setChosen({ ...chosen, [field]: column })}
            className="min-h-12"
          />
        </div>
      ))}
      <SubmitButton disabled={!chosen.title || !chosen.artist} pending={isPending} pendingText="Sending...">
        Read it again
      </SubmitButton>
    </Form>
  )
}

const fields = [
  { field: 'title', name: 'Title' },
  { field: 'artist', name: 'Artist' },
  { field: 'isrc', name: 'ISRC, if there is one' },
  { field: 'spotify_id', name: 'Spotify id, if there is one' },
  { field: 'youtube_id', name: 'YouTube id, if there is one' },
]
