import { MAX_COLLECTION_DESCRIPTION_LENGTH, MAX_COLLECTION_NAME_LENGTH } from '../../contract/collections.ts'
import { Field } from '../ui/controls/Field.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { toast } from '../ui/toast.ts'

export interface CollectionDraft {
  name: string
  description: string
  isPublic: boolean
}

interface CollectionFieldsProps {
  draft: CollectionDraft
  onChange: (change: Partial<CollectionDraft>) => void
  /** A link exists, and ends when the collection becomes private. */
  hasLink?: boolean
}

/** Name, description and who can see it. */
export function CollectionFields({ draft, onChange, hasLink = false }: CollectionFieldsProps) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        required
        dir="auto"
        autoComplete="off"
        maxLength={MAX_COLLECTION_NAME_LENGTH}
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <Field
        label="Description"
        name="description"
        rows={3}
        dir="auto"
        maxLength={MAX_COLLECTION_DESCRIPTION_LENGTH}
        value={draft.description}
        onChange={(description) => onChange({ description })}
      />
      <SwitchRow name="Public" isOn={draft.isPublic} onChange={(isPublic) => onChange({ isPublic })}>
        {draft.isPublic
          ? 'Whoever has the link sees the collection, your name and your picture.'
          : hasLink
            ? 'Only you see it. Its link stops working when you save.'
            : 'Only you see it. A private collection has no link.'}
      </SwitchRow>
    </>
  )
}

/** The draft as it is sent; null without a name, and a toast says so (sharing-1). */
export function validateDraft({ name, description, isPublic }: CollectionDraft): CollectionDraft | null {
  if (name.trim() !== '') return { name: name.trim(), description: description.trim(), isPublic }
  toast.error('Please enter a name for your collection.', 'Name required')
  return null
}
