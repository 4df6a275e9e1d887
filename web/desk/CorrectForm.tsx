import { useState } from 'react'
import type { DeskCase, SongChanges } from '../../contract/desk.ts'
import { MicrogenreSelect } from '../suggestions/MicrogenreSelect.tsx'
import { Field } from '../ui/Field.tsx'
import { Form, Submit } from '../ui/Form.tsx'
import { changesOf, draftOf, TEXT_FIELDS, type Values } from './correction.ts'
import { fieldWords } from './deskWords.ts'

interface CorrectFormProps {
  values: NonNullable<DeskCase['song'] | DeskCase['suggestion']>
  isPending: boolean
  onCorrect: (changes: SongChanges) => void
}

/** Other values for a song: a suggestion comes in with them, a reported song gets them (desk-13, desk-15). */
export function CorrectForm({ values, isPending, onCorrect }: CorrectFormProps) {
  const [draft, setDraft] = useState(() => draftOf(values))
  const changes = changesOf(values, draft)
  const isChanged = Object.keys(changes).length > 0
  const change = (part: Partial<Values>) => setDraft({ ...draft, ...part })
  return (
    <Form noValidate onSend={() => onCorrect(changes)}>
      {TEXT_FIELDS.map(({ name, ...control }, index) => (
        <Field
          key={name}
          label={fieldWords[name]}
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
      <Submit disabled={!isChanged} pending={isPending}>
        Correct
      </Submit>
    </Form>
  )
}
