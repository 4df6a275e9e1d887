import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { listMicrogenres } from '../../../contract/discovery.ts'
import type { ResponseOf } from '../../../contract/endpoint.ts'
import { withBasePath } from '../../api/paths.ts'
import { query } from '../../api/query.ts'
import { useHasPainted } from '../../ui/afterPaint.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Select } from '../../ui/controls/Field.tsx'
import { SearchField } from '../../ui/controls/SearchField.tsx'
import { Dialog, DialogPanel, type OpenState } from '../../ui/dialogs/Dialog.tsx'
import { Dices, ListPlus, MapIcon } from '../../ui/laterIcons.ts'
import { LoadFailure, Spinner } from '../../ui/page/Loading.tsx'
import { lazyDialog } from '../../ui/page/lazyComponent.tsx'
import { openDialog, useScreenParam } from '../../ui/screenParams.ts'
import { hasKeyboard } from '../../ui/useMediaQuery.ts'
import { mapPath } from '../selectMicrogenre.ts'
import { pickMicrogenre } from './pickMicrogenre.ts'
import { type MicrogenreFilter, noFilter, searchMicrogenres } from './searchMicrogenres.ts'

interface GenrePickerProps extends OpenState {
  /** The current microgenre. */
  current: string | null
  onChoose: (microgenreId: string) => void
}

export const preloadDialog = DialogPanel.preload

const SuggestDialog = lazyDialog(
  async () => (await import('../../suggestions/SuggestDialog.tsx')).SuggestDialog,
)

/** The picker, or in its place the dialog to suggest a missing song (desk-24). */
export function GenrePicker({ open, onOpenChange, current, onChoose }: GenrePickerProps) {
  const isSuggesting = useScreenParam('dialog') === 'suggest'
  return (
    <>
      <Dialog
        open={open && !isSuggesting}
        onOpenChange={onOpenChange}
        title="Discover Your Sound"
        width="58rem"
        tall
      >
        <MicrogenreChoices current={current} onChoose={onChoose} />
      </Dialog>
      <SuggestDialog open={open && isSuggesting} onOpenChange={onOpenChange} />
    </>
  )
}

function MicrogenreChoices({ current, onChoose }: Pick<GenrePickerProps, 'current' | 'onChoose'>) {
  const [filter, setFilter] = useState(noFilter)
  const grid = useRef<HTMLDivElement>(null)
  // The dialog opens first, because the choices take longer to render (discover-31).
  const hasPainted = useHasPainted()
  // Every rating changes the numbers of unrated songs, so each opening requests them.
  const { data, isPending, isError, refetch } = useQuery({ ...query(listMicrogenres), staleTime: 0 })

  if (isPending) {
    return (
      <p className="flex min-h-40 items-center justify-center gap-3 text-ink-2">
        <Spinner /> Loading microgenres...
      </p>
    )
  }
  if (isError && !data) {
    return (
      <LoadFailure isMain onRetry={refetch}>
        The microgenres did not load.
      </LoadFailure>
    )
  }
  if (data.length === 0) return <p className="text-ink-2">There are no microgenres yet. Come back soon.</p>

  const matches = searchMicrogenres(data, filter)
  const text = filter.text.trim()
  const randomMicrogenre = pickMicrogenre(matches.filter(({ id }) => id !== current))
  return (
    // Its columns follow the width of the dialog, which a video makes narrow on a wide screen.
    <div className="@container grid gap-3">
      <SearchField
        label="Search microgenres"
        placeholder={`Search ${data.length} microgenre${data.length === 1 ? '' : 's'}`}
        // An on-screen keyboard would cover the list.
        autoFocus={hasKeyboard()}
        value={filter.text}
        onChange={(text) => setFilter({ ...filter, text })}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') moveFocus(event, grid.current, -1)
          if (event.key === 'Enter' && matches[0] && text) onChoose(matches[0].id)
        }}
      >
        {/* Replaces the picker's history entry, like a choice (screens-13). */}
        <Button
          className="min-h-12 px-3 @xl:px-4.5"
          onClick={() => navigate(withBasePath(mapPath(current)), { replace: true })}
        >
          <MapIcon className="size-5 @max-xl:hidden" />
          Map
        </Button>
      </SearchField>
      <GenreFilters
        microgenres={hasPainted ? data : null}
        filter={filter}
        onChange={setFilter}
        onSurprise={randomMicrogenre && (() => onChoose(randomMicrogenre.id))}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys in addition to Tab */}
      <div
        ref={grid}
        onKeyDown={(event) => moveFocus(event, grid.current)}
        className="grid gap-x-6 @xl:grid-cols-2 @3xl:grid-cols-3"
        // About the final height, so that the dialog does not grow.
        style={hasPainted ? {} : { minHeight: `${data.length * 1.6}rem` }}
      >
        {(hasPainted ? matches : []).map((microgenre) => (
          <MicrogenreChoice
            key={microgenre.id}
            microgenre={microgenre}
            isCurrent={microgenre.id === current}
            onChoose={() => onChoose(microgenre.id)}
          />
        ))}
      </div>
      <p role="status" className={matches.length > 0 ? 'sr-only' : 'text-ink-2'}>
        {matches.length > 0
          ? `${matches.length} ${matches.length === 1 ? 'microgenre' : 'microgenres'}`
          : text
            ? `Nothing found for “${text}”. If it is a song, suggest it.`
            : 'Nothing found.'}
      </p>
      {matches.length === 0 && (
        <Button onClick={() => setFilter(noFilter)} className="justify-self-start">
          Show all microgenres
        </Button>
      )}
    </div>
  )
}

function MicrogenreChoice({
  microgenre: { name, description, color, unratedCount, songCount, reason },
  isCurrent,
  onChoose,
}: {
  microgenre: ResponseOf<typeof listMicrogenres>[number]
  isCurrent: boolean
  onChoose: () => void
}) {
  return (
    <button
      type="button"
      data-genre=""
      style={{ '--genre': color } as CSSProperties}
      aria-current={isCurrent || undefined}
      onClick={onChoose}
      className="grid min-h-16 grid-cols-[4px_1fr] content-start gap-x-3 border-t border-line py-3 text-left transition-colors duration-(--duration-quick) hover:bg-raised @xl:min-h-25"
    >
      <span className="row-span-3 rounded-[1px] bg-accent" />
      <span
        dir="auto"
        className={`text-left font-display text-base/6 font-[650] [font-stretch:var(--width-heading)] ${isCurrent ? 'text-accent' : ''}`}
      >
        {name}
      </span>
      <span className="text-xs text-ink-2">{description}</span>
      <span className="pt-1 text-2xs text-ink-3 tabular-nums">
        {formatSongsLeft(unratedCount, songCount)}
        {reason && <span className="text-ink-2"> · {reason}</span>}
      </span>
    </button>
  )
}

function formatSongsLeft(unrated: number, all: number): string {
  if (all === 0) return 'No songs yet'
  return unrated === 0 ? 'All rated' : `${unrated} of ${all} songs left`
}

/** Moves the focus to the choice in the direction of an arrow key. `from` -1 is the search field. */
function moveFocus(event: KeyboardEvent, grid: HTMLElement | null, from?: number) {
  const choices = [...(grid?.querySelectorAll('button') ?? [])]
  const index = from ?? choices.indexOf(event.target as HTMLButtonElement)
  const first = choices[0]
  const columns = first ? choices.filter(({ offsetTop }) => offsetTop === first.offsetTop).length : 1
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  }
  const step = steps[event.key]
  if (step === undefined) return
  const target = choices[index === -1 ? 0 : index + step]
  if (!target) return
  event.preventDefault()
  target.focus()
}

interface GenreFiltersProps {
  /** Null reserves the space of the filters. */
  microgenres: readonly { family: string; mood: readonly string[] }[] | null
  filter: MicrogenreFilter
  onChange: (filter: MicrogenreFilter) => void
  /** Null without a microgenre to choose. */
  onSurprise: (() => void) | null
}

/** Filters by family and mood, a random choice (discover-32), and the suggestion of a missing song (desk-24). */
function GenreFilters({ microgenres, filter, onChange, onSurprise }: GenreFiltersProps) {
  if (!microgenres) return <div className="min-h-(--size-touch)" />
  return (
    <div className="mb-1 grid grid-cols-[1fr_1fr_auto_auto] gap-1.5 @xl:gap-2">
      <FilterSelect
        label="Family"
        allLabel="All families"
        values={microgenres.map(({ family }) => family)}
        value={filter.family}
        onChoose={(family) => onChange({ ...filter, family })}
      />
      <FilterSelect
        label="Mood"
        allLabel="All moods"
        values={microgenres.flatMap(({ mood }) => mood)}
        value={filter.mood}
        onChoose={(mood) => onChange({ ...filter, mood })}
      />
      <Button
        onClick={() => onSurprise?.()}
        aria-disabled={onSurprise === null || undefined}
        className={choiceStyle}
      >
        <Dices />
        <span className={wordStyle}>Surprise me</span>
      </Button>
      <Button className={choiceStyle} onClick={() => openDialog('suggest')}>
        <ListPlus />
        <span className={wordStyle}>Suggest a song</span>
      </Button>
    </div>
  )
}

/** Icons where the dialog is narrow. */
const choiceStyle = 'px-3 @xl:px-4.5'
const wordStyle = '@max-xl:sr-only'

interface FilterProps {
  /** Also what it says before a choice. */
  label: string
  /** The way back from a choice. */
  allLabel: string
  /** May repeat. */
  values: readonly string[]
  value: string
  onChoose: (value: string) => void
}

function FilterSelect({ label, allLabel, values, value, onChoose }: FilterProps) {
  return (
    <Select
      aria-label={label}
      value={value}
      options={[
        { value: '', name: value ? allLabel : label },
        ...[...new Set(values)].sort().map((one) => ({ value: one, name: one })),
      ]}
      onChange={onChoose}
      className="min-h-(--size-touch) py-2 text-ellipsis capitalize @max-xl:px-1.5"
    />
  )
}
