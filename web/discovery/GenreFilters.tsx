import { Button } from '../ui/Button.tsx'
import { Dices } from '../ui/laterIcons.ts'
import { openDialog } from '../ui/place.ts'
import { Select } from '../ui/Select.tsx'
import type { Wanted } from './searchMicrogenres.ts'

interface GenreFiltersProps {
  /** null keeps the place of the filters. */
  microgenres: readonly { family: string; mood: readonly string[] }[] | null
  wanted: Wanted
  onChange: (wanted: Wanted) => void
  /** null when there is nothing to choose from. */
  onSurprise: (() => void) | null
}

/** Families and moods to filter by, a choice by chance (discover-32), and the way to a missing song (desk-24). */
export function GenreFilters({ microgenres, wanted, onChange, onSurprise }: GenreFiltersProps) {
  if (!microgenres) return <div className="mt-2 mb-4 min-h-24 wide:min-h-(--size-touch)" />
  return (
    <div className="mt-2 mb-4 grid grid-cols-2 gap-2 wide:grid-cols-[1fr_1fr_auto_auto]">
      <Filter
        label="Family"
        everything="Every family"
        values={microgenres.map(({ family }) => family)}
        value={wanted.family}
        onChoose={(family) => onChange({ ...wanted, family })}
      />
      <Filter
        label="Mood"
        everything="Every mood"
        values={microgenres.flatMap(({ mood }) => mood)}
        value={wanted.mood}
        onChoose={(mood) => onChange({ ...wanted, mood })}
      />
      <Button
        onClick={() => onSurprise?.()}
        aria-disabled={onSurprise === null || undefined}
        className="max-wide:px-3"
      >
        <Dices className="size-5 max-[21.875rem]:hidden" />
        Surprise me
      </Button>
      <Button className="max-wide:px-3" onClick={() => openDialog('suggest')}>
        Suggest a song
      </Button>
    </div>
  )
}

interface FilterProps {
  label: string
  everything: string
  /** With repetitions. */
  values: readonly string[]
  value: string
  onChoose: (value: string) => void
}

function Filter({ label, everything, values, value, onChoose }: FilterProps) {
  return (
    <Select
      aria-label={label}
      value={value}
      options={[
        { value: '', name: everything },
        ...[...new Set(values)].sort().map((one) => ({ value: one, name: one })),
      ]}
      onChange={onChoose}
      className="min-h-(--size-touch) py-2 capitalize max-[21.875rem]:px-1.5"
    />
  )
}
