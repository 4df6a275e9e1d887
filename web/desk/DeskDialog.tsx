import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  type DeskCase,
  type FoundMicrogenre,
  MAX_MICROGENRE_LENGTHS,
  MAX_REASON_LENGTH,
  type MicrogenreDetails,
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
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { fieldLabels } from './deskLabels.ts'
import {
  type CorrectableSong,
  createSongDraft,
  getChanges,
  type SongDraft,
  TEXT_FIELDS,
} from './songDraft.ts'
import type { DecisionInput, Desk, DialogKind } from './useDesk.ts'

interface DeskDialogProps {
  kind: DialogKind
  deskCase: DeskCase
  desk: Desk
  onClose: () => void
}

/** Asks for what the decision needs, then decides. */
export function DeskDialog({
  kind,
  deskCase: { song, suggestion, microgenre },
  desk,
  onClose,
}: DeskDialogProps) {
  const props = {
    isPending: desk.isPending,
    onDecide: (decision: DecisionInput) => desk.decide(decision, onClose),
    onClose,
  }
  const correctedSong = song ?? suggestion
  if (kind === 'reject') return <RejectDialog {...props} />
  if (kind === 'approve') return microgenre && <MicrogenreDialog microgenre={microgenre} {...props} />
  if (kind === 'correct') return correctedSong && <CorrectDialog song={correctedSong} {...props} />
  return suggestion && <MergeDialog suggestion={suggestion} {...props} />
}

interface DialogProps {
  isPending: boolean
  onDecide: (decision: DecisionInput) => void
  onClose: () => void
}

interface MicrogenreDialogProps extends DialogProps {
  microgenre: FoundMicrogenre
}

/** Name, family and description of a new microgenre, in the steward's words (desk-27). */
function MicrogenreDialog({ microgenre, isPending, onDecide, onClose }: MicrogenreDialogProps) {
  const { name, family } = microgenre
  const [details, setDetails] = useState({ name, family, description: '' })
  const isComplete = Object.values(details).every((text) => text.trim() !== '')
  const change = (part: Partial<MicrogenreDetails>) => setDetails({ ...details, ...part })
  return (
    <FormDialog
      title="New microgenre"
      description="Listeners read this before the first song."
      submitText="Approve"
      canSubmit={isComplete}
      isPending={isPending}
      onSubmit={() => onDecide({ action: 'approve', microgenre: details })}
      onClose={onClose}
    >
      <Field
        label="Name"
        dir="auto"
        autoComplete="off"
        maxLength={MAX_MICROGENRE_LENGTHS.name}
        value={details.name}
        onChange={(name) => change({ name })}
      />
      <FamilySelect value={details.family} onChange={(family) => change({ family })} />
      <Field
        label="Description"
        note={`${charactersOf(details.description).length} of ${MAX_MICROGENRE_LENGTHS.description}`}
        rows={4}
        dir="auto"
        data-first-field=""
        maxLength={MAX_MICROGENRE_LENGTHS.description}
        value={details.description}
        onChange={(description) => change({ description })}
      />
    </FormDialog>
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

/** The reason of a rejection: a frequent one by one press, or one in the steward's words. */
function RejectDialog({ isPending, onDecide, onClose }: DialogProps) {
  const [reason, setReason] = useState('')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Reject"
      width="30rem"
      description="Whoever suggested the song reads the reason."
    >
      <Form noValidate onSubmit={() => onDecide({ action: 'reject', reason })} className="grid gap-3">
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
        {FREQUENT_REASONS.map((frequent) => (
          <li key={frequent} className="grid">
            <Button pending={isPending} onClick={() => onDecide({ action: 'reject', reason: frequent })}>
              <span className="whitespace-normal">{frequent}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const FREQUENT_REASONS = [
  'It is a live recording, a remix or a cover.',
  'It belongs to none of our microgenres.',
  'It is not one song.',
  'It can be heard nowhere.',
]

interface CorrectDialogProps extends DialogProps {
  song: CorrectableSong
}

/** Corrects a reported song, or adds a suggestion with other values (desk-13, desk-15). */
function CorrectDialog({ song, isPending, onDecide, onClose }: CorrectDialogProps) {
  const [draft, setDraft] = useState(() => createSongDraft(song))
  const changes = getChanges(song, draft)
  const change = (part: Partial<SongDraft>) => setDraft({ ...draft, ...part })
  return (
    <FormDialog
      title="Correct"
      submitText="Correct"
      canSubmit={Object.keys(changes).length > 0}
      isPending={isPending}
      onSubmit={() => onDecide({ action: 'correct', changes })}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}

interface MergeDialogProps extends DialogProps {
  suggestion: NonNullable<DeskCase['suggestion']>
}

/** Chooses the song of the catalogue that a suggestion is. */
function MergeDialog({ suggestion, isPending, onDecide, onClose }: MergeDialogProps) {
  const [searchText, setSearchText] = useState('')
  const search = useSongSearch(useDebouncedValue(searchText.trim()))
  const found = search.data?.songs.flatMap(({ known }) => known ?? [])
  const songs = found ?? suggestion.alike
  return (
    <Dialog open onOpenChange={onClose} title="Merge" description="Which song of the catalogue is it?" tall>
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
            <Button
              pending={isPending}
              onClick={() => onDecide({ action: 'merge', songId: id })}
              className="py-2 text-left"
            >
              <span className="line-clamp-3 w-full whitespace-normal wrap-anywhere">
                {`${songName({ title, artist })}, in ${isolateName(microgenre)}`}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {found?.length === 0 && <p role="status">The catalogue has no such song.</p>}
    </Dialog>
  )
}
