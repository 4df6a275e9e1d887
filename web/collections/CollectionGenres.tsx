import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useRef, useState } from 'react'
import { MAX_COLLECTION_ITEMS } from '../../contract/collections.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { query } from '../api/query.ts'
import { Cover } from '../ui/art/Cover.tsx'
import { Button, IconButton } from '../ui/controls/Button.tsx'
import { Select } from '../ui/controls/Field.tsx'
import { type Icon, X } from '../ui/icons.tsx'
import { ArrowDown, ArrowUp } from '../ui/laterIcons.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import type { CollectionGenre } from './CollectionPreview.tsx'

interface CollectionGenresProps {
  genres: readonly CollectionGenre[]
  onChange: (genres: CollectionGenre[]) => void
}

/** The microgenres of a collection, to move, remove and add. */
export function CollectionGenres({ genres, onChange }: CollectionGenresProps) {
  const title = useRef<HTMLLegendElement>(null)
  /** The last change, for screen readers. */
  const [announcement, setAnnouncement] = useState('')

  function move(from: number, to: number) {
    const { [from]: movedGenre, [to]: other } = genres
    if (!movedGenre || !other) return
    onChange(genres.map((genre, i) => (i === from ? other : i === to ? movedGenre : genre)))
    setAnnouncement(`${movedGenre.name} is now ${to + 1} of ${genres.length}.`)
  }

  function remove(removedGenre: CollectionGenre, event: MouseEvent<HTMLElement>) {
    // The focused button is about to disappear.
    const row = event.currentTarget.closest('li')
    const neighbor = row?.nextElementSibling ?? row?.previousElementSibling
    const next = neighbor?.querySelector<HTMLElement>('button:last-of-type') ?? title.current
    next?.focus()
    onChange(genres.filter(({ id }) => id !== removedGenre.id))
    setAnnouncement(`${removedGenre.name} removed.`)
  }

  return (
    <fieldset className="min-w-0">
      <legend ref={title} tabIndex={-1} className="mb-1.5 font-semibold outline-none">
        Microgenres
      </legend>
      <ol className="border-t border-line">
        {genres.map((genre, i) => (
          <li key={genre.id} className="flex items-center gap-2 border-b border-line py-1.5">
            <span className="block size-10 flex-none">
              <Cover title={genre.name} color={genre.color} />
            </span>
            <span dir="auto" className="min-w-0 flex-1 text-left font-semibold wrap-anywhere">
              {genre.name}
            </span>
            <RowButton
              icon={ArrowUp}
              name={`Move ${genre.name} up`}
              disabled={i === 0}
              onClick={() => move(i, i - 1)}
            />
            <RowButton
              icon={ArrowDown}
              name={`Move ${genre.name} down`}
              disabled={i === genres.length - 1}
              onClick={() => move(i, i + 1)}
            />
            <RowButton icon={X} name={`Remove ${genre.name}`} onClick={(event) => remove(genre, event)} />
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <AddGenre
        genres={genres}
        onAdd={(genre) => {
          onChange([...genres, genre])
          setAnnouncement(`${genre.name} added.`)
        }}
      />
    </fieldset>
  )
}

interface RowButtonProps {
  icon: Icon
  name: string
  disabled?: boolean
  onClick: (event: MouseEvent<HTMLElement>) => void
}

function RowButton({ icon: Icon, name, disabled = false, onClick }: RowButtonProps) {
  return (
    <IconButton
      label={name}
      aria-disabled={disabled || undefined}
      onClick={(event) => !disabled && onClick(event)}
    >
      <Icon />
    </IconButton>
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
