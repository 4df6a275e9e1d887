import { useState } from 'react'
import type { DeskCase } from '../../contract/desk.ts'
import { SONG_TEXT_LENGTH } from '../../contract/suggestions.ts'
import { useSongSearch } from '../suggestions/useLookUp.ts'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { SearchField, usePaused } from '../ui/SearchField.tsx'

interface MergeFormProps {
  suggestion: NonNullable<DeskCase['suggestion']>
  isPending: boolean
  onMerge: (songId: string) => void
}

/** The song of the catalogue that a suggestion is. */
export function MergeForm({ suggestion, isPending, onMerge }: MergeFormProps) {
  const [typed, setTyped] = useState('')
  const words = usePaused(typed.trim())
  const search = useSongSearch(words)
  const found = search.data?.songs.flatMap(({ known }) => known ?? [])
  const songs = found ?? suggestion.alike
  return (
    <>
      <SearchField
        label="Artist and title"
        placeholder="Artist and title"
        dir="auto"
        maxLength={SONG_TEXT_LENGTH}
        value={typed}
        onChange={setTyped}
      />
      {search.isError && <LoadFailure onRetry={search.refetch}>The search did not work.</LoadFailure>}
      <ul aria-label="Songs" className="grid gap-2">
        {songs.map(({ id, title, artist, microgenre }) => (
          <li key={id} className="grid">
            <Button pending={isPending} onClick={() => onMerge(id)} className="py-2 text-left">
              <span className="line-clamp-3 w-full whitespace-normal wrap-anywhere">
                {`${title} by ${artist}, in ${microgenre}`}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {found?.length === 0 && <p role="status">The catalogue has no such song.</p>}
    </>
  )
}
