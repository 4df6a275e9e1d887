import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_COLLECTION_ITEMS } from '../../contract/collections.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { query } from '../api/query.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Select } from '../ui/controls/Field.tsx'
import { OrderedList } from '../ui/controls/OrderedList.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import type { CollectionGenre } from './CollectionPreview.tsx'

interface CollectionGenresProps {
  genres: readonly CollectionGenre[]
  onChange: (genres: CollectionGenre[]) => void
}

/** The microgenres of a collection, to move, remove and add. */
export function CollectionGenres({ genres, onChange }: CollectionGenresProps) {
  return (
    <OrderedList legend="Microgenres" items={genres} onChange={onChange}>
      {(announce) => (
        <AddGenre
          genres={genres}
          onAdd={(genre) => {
            onChange([...genres, genre])
            announce(`${genre.name} added.`)
          }}
        />
      )}
    </OrderedList>
  )
}

/** A select and a button, because arrow keys change a select before the listener has decided. */
function AddGenre({
  genres,
  onAdd,
}: {
  genres: readonly CollectionGenre[]
  onAdd: (genre: CollectionGenre) => void
}) {
  const { data: all, isError, refetch } = useQuery(query(listMicrogenres))
  const [selectedId, setSelectedId] = useState('')
  if (isError && !all) return <LoadFailure onRetry={refetch}>The microgenres did not load.</LoadFailure>
  if (genres.length >= MAX_COLLECTION_ITEMS)
    return <p className="text-ink-2">A collection holds at most {MAX_COLLECTION_ITEMS} microgenres.</p>
  const others = (all ?? []).filter(({ id }) => !genres.some((genre) => genre.id === id))
  const selectedGenre = others.find(({ id }) => id === selectedId)
  return (
    <div className="mt-1.5 flex gap-2">
      <Select
        aria-label="Another microgenre"
        value={selectedGenre?.id ?? ''}
        options={[
          { value: '', name: 'Another microgenre' },
          ...others.map(({ id, name }) => ({ value: id, name })),
        ]}
        onChange={setSelectedId}
        className="min-w-0 flex-1"
      />
      <Button
        className="min-h-12"
        aria-disabled={!selectedGenre || undefined}
        onClick={() => {
          if (!selectedGenre) return
          onAdd({ id: selectedGenre.id, name: selectedGenre.name, color: selectedGenre.color })
          setSelectedId('')
        }}
      >
        Add
      </Button>
    </div>
  )
}
