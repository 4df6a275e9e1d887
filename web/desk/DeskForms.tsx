import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  type DeskCase,
  type FoundMicrogenre,
  MAX_MICROGENRE_LENGTHS,
  MAX_REASON_LENGTH,
  type MicrogenreDetails,
  type SongChanges,
} from '../../contract/desk.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { isolateName, songName } from '../../contract/isolateName.ts'
import { MAX_SONG_TEXT_LENGTH } from '../../contract/suggestions.ts'
import { charactersOf } from '../../contract/texts.ts'
import { query } from '../api/query.ts'
import { MicrogenreSelect } from '../suggestions/MicrogenreSelect.tsx'
import { useSongSearch } from '../suggestions/useSongLookup.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field, Select } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { SearchField, useDebouncedValue } from '../ui/controls/SearchField.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { fieldLabels } from './deskLabels.ts'
import { createSongDraft, getChanges, type SongDraft, TEXT_FIELDS } from './songDraft.ts'

interface MicrogenreFormProps {
  found: FoundMicrogenre
  isPending: boolean
  onApprove: (words: MicrogenreDetails) => void
}

/** Name, family and description of a new microgenre, in the steward's words (desk-27). */
export function MicrogenreForm({ found, isPending, onApprove }: MicrogenreFormProps) {
  const [words, setWords] = useState({ name: found.name, family: found.family, description: '' })
  const isComplete = Object.values(words).every((text) => text.trim() !== '')
  const change = (part: Partial<MicrogenreDetails>) => setWords({ ...words, ...part })
  return (
    <Form noValidate onSubmit={() => onApprove(words)}>
      <Field
        label="Name"
        dir="auto"
        autoComplete="off"
        maxLength={MAX_MICROGENRE_LENGTHS.name}
        value={words.name}
        onChange={(name) => change({ name })}
      />
      <FamilySelect value={words.family} onChange={(family) => change({ family })} />
      <Field
        label="Description"
        note={`${charactersOf(words.description).length} of ${MAX_MICROGENRE_LENGTHS.description}`}
        rows={4}
        dir="auto"
        data-first-field=""
        maxLength={MAX_MICROGENRE_LENGTHS.description}
        value={words.description}
        onChange={(description) => change({ description })}
      />
      <SubmitButton disabled={!isComplete} pending={isPending}>
        Approve
      </SubmitButton>
    </Form>
  )
}

/** The families that exist; until they have loaded, the proposed one. */
function FamilySelect({ value, onChange }: { value: string; onChange: (family: string) => void }) {
  const id = useId()
  const { data = [] } = useQuery(query(listMicrogenres))
  const families = [...new Set([value, ...data.map(({ family }) => family)])].sort((a, b) =>
    a.localeCompare(b),
  )
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        Family
      </label>
      <Select
        id={id}
        value={value}
        options={families.map((family) => ({ value: family, name: family }))}
        onChange={onChange}
        className="min-h-12"
      />
    </div>
  )
}

interface RejectFormProps {
  isPending: boolean
  onReject: (reason: string) => void
}

/** The reason of a rejection: a frequent one by one press, or the steward's own words. */
export function RejectForm({ isPending, onReject }: RejectFormProps) {
  const [reason, setReason] = useState('')
  return (
    <>
      <Form noValidate onSubmit={() => onReject(reason)} className="grid gap-3">
        <Field
          label="Reason"
          data-first-field=""
          autoComplete="off"
          maxLength={MAX_REASON_LENGTH}
          value={reason}
          onChange={setReason}
        />
        <SubmitButton disabled={reason.trim() === ''} pending={isPending}>
          Reject
        </SubmitButton>
      </Form>
      <ul aria-label="Frequent reasons" className="grid gap-2">
        {FREQUENT_REASONS.map((words) => (
          <li key={words} className="grid">
            <Button pending={isPending} onClick={() => onReject(words)}>
              <span className="whitespace-normal">{words}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

const FREQUENT_REASONS = [
  'It is a live recording, a remix or a cover.',
  'It belongs to none of our microgenres.',
  'It is not one song.',
  'It can be heard nowhere.',
]

interface CorrectFormProps {
  values: NonNullable<DeskCase['song'] | DeskCase['suggestion']>
  isPending: boolean
  onCorrect: (changes: SongChanges) => void
}

/** Other values for a song: a suggestion comes in with them, a reported song gets them (desk-13, desk-15). */
export function CorrectForm({ values, isPending, onCorrect }: CorrectFormProps) {
  const [draft, setDraft] = useState(() => createSongDraft(values))
  const changes = getChanges(values, draft)
  const isChanged = Object.keys(changes).length > 0
  const change = (part: Partial<SongDraft>) => setDraft({ ...draft, ...part })
  return (
    <Form noValidate onSubmit={() => onCorrect(changes)}>
      {TEXT_FIELDS.map(({ name, ...control }, index) => (
        <Field
          key={name}
          label={fieldLabels[name]}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          {...control}
          {...(index === 0 ? { 'data-first-field': '' as const } : {})}
          value={draft[name]}
          onChange={(text) => change({ [name]: text })}
        />
      ))}
      <MicrogenreSelect value={draft.microgenreId} onChange={(microgenreId) => change({ microgenreId })} />
      <SubmitButton disabled={!isChanged} pending={isPending}>
        Correct
      </SubmitButton>
    </Form>
  )
}

interface MergeFormProps {
  suggestion: NonNullable<DeskCase['suggestion']>
  isPending: boolean
  onMerge: (songId: string) => void
}

/** The song of the catalogue that a suggestion is. */
export function MergeForm({ suggestion, isPending, onMerge }: MergeFormProps) {
  const [searchText, setSearchText] = useState('')
  const words = useDebouncedValue(searchText.trim())
  const search = useSongSearch(words)
  const found = search.data?.songs.flatMap(({ known }) => known ?? [])
  const songs = found ?? suggestion.alike
  return (
    <>
      <SearchField
        label="Artist and title"
        placeholder="Artist and title"
        dir="auto"
        maxLength={MAX_SONG_TEXT_LENGTH}
        value={searchText}
        onChange={setSearchText}
      />
      {search.isError && <LoadFailure onRetry={search.refetch}>The search did not work.</LoadFailure>}
      <ul aria-label="Songs" className="grid gap-2">
        {songs.map(({ id, title, artist, microgenre }) => (
          <li key={id} className="grid">
            <Button pending={isPending} onClick={() => onMerge(id)} className="py-2 text-left">
              <span className="line-clamp-3 w-full whitespace-normal wrap-anywhere">
                {`${songName({ title, artist })}, in ${isolateName(microgenre)}`}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {found?.length === 0 && <p role="status">The catalogue has no such song.</p>}
    </>
  )
}
