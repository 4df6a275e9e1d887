import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { listMicrogenres } from '../../contract/discovery.ts'
import {
  type FoundMicrogenre,
  MICROGENRE_LENGTHS,
  type MicrogenreWords,
} from '../../contract/foundMicrogenres.ts'
import { query } from '../api/query.ts'
import { Field } from '../ui/Field.tsx'
import { Form, Submit } from '../ui/Form.tsx'
import { Select } from '../ui/Select.tsx'

interface MicrogenreFormProps {
  found: FoundMicrogenre
  isPending: boolean
  onApprove: (words: MicrogenreWords) => void
}

/** Name, family and description of a new microgenre, in the steward's words (desk-27). */
export function MicrogenreForm({ found, isPending, onApprove }: MicrogenreFormProps) {
  const [words, setWords] = useState({ name: found.name, family: found.family, description: '' })
  const isComplete = Object.values(words).every((text) => text.trim() !== '')
  const change = (part: Partial<MicrogenreWords>) => setWords({ ...words, ...part })
  return (
    <Form noValidate onSend={() => onApprove(words)}>
      <Field
        label="Name"
        dir="auto"
        autoComplete="off"
        maxLength={MICROGENRE_LENGTHS.name}
        value={words.name}
        onChange={(name) => change({ name })}
      />
      <FamilySelect value={words.family} onChange={(family) => change({ family })} />
      <Field
        label="Description"
        note={`${words.description.length} of ${MICROGENRE_LENGTHS.description}`}
        rows={4}
        dir="auto"
        data-first-field=""
        maxLength={MICROGENRE_LENGTHS.description}
        value={words.description}
        onChange={(description) => change({ description })}
      />
      <Submit disabled={!isComplete} pending={isPending}>
        Approve
      </Submit>
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
