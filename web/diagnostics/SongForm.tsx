import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { useOwnToast } from './useOwnToast.ts'

export interface Wanted {
  artist: string
  title: string
}

interface SongFormProps {
  wanted: Wanted
  onChange: (wanted: Wanted) => void
  /** Called with both values, trimmed and not empty. */
  onSearch: (wanted: Wanted) => void
  searching: boolean
  action: string
}

/** Artist and title, both required (diagnostics-17). */
export function SongForm({ wanted, onChange, onSearch, searching, action }: SongFormProps) {
  const toast = useOwnToast()
  function submit(event: FormEvent) {
    event.preventDefault()
    const trimmed = { artist: wanted.artist.trim(), title: wanted.title.trim() }
    if (trimmed.artist && trimmed.title) return onSearch(trimmed)
    toast({ title: 'Missing Information', description: 'Please enter both artist and title', tone: 'error' })
  }
  return (
    <form noValidate onSubmit={submit} className="grid items-end gap-3 wide:grid-cols-2">
      <Field
        label="Artist"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={wanted.artist}
        onChange={(artist) => onChange({ ...wanted, artist })}
      />
      <Field
        label="Title"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={wanted.title}
        onChange={(title) => onChange({ ...wanted, title })}
      />
      <Button type="submit" variant="main" className="justify-self-start" disabled={searching}>
        <Search className="size-5" strokeWidth={1.75} aria-hidden="true" />
        {searching ? 'Searching ...' : action}
      </Button>
    </form>
  )
}
