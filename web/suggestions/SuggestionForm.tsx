import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { listSuggestions, MAX_SONG_TEXT_LENGTH, suggestSong } from '../../contract/suggestions.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { Field } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { useScreenParam } from '../ui/screenParams.ts'
import { MicrogenreSelect } from './MicrogenreSelect.tsx'
import { formatRemaining } from './suggestionTexts.ts'

/** A song to be suggested, as it was found. */
export interface SuggestionDraft {
  title: string
  artist: string
  year: number | null
  address: string | null
}

export type SentSuggestion = ResponseOf<typeof suggestSong>

interface SuggestionFormProps {
  draft: SuggestionDraft
  /** How many more songs can be suggested today; null while unknown. */
  remaining: number | null
  onSent: (sent: SentSuggestion) => void
}

/** Title, artist and microgenre, which the listener can correct before sending (desk-24). */
export function SuggestionForm({ draft, remaining, onSent }: SuggestionFormProps) {
  const queryClient = useQueryClient()
  const currentMicrogenreId = useScreenParam('microgenre')
  const [title, setTitle] = useState(draft.title)
  const [artist, setArtist] = useState(draft.artist)
  const [microgenreId, setMicrogenreId] = useState(currentMicrogenreId)
  const [failure, setFailure] = useState<string | null>(null)
  const isFilled = title.trim() !== '' && artist.trim() !== '' && microgenreId !== null
  const sending = useMutation({
    mutationFn: send,
    onMutate: () => setFailure(null),
    onSuccess(sent) {
      onSent(sent)
      void queryClient.invalidateQueries({ queryKey: [listSuggestions.path] })
    },
    onError: (error) => setFailure(refusalMessage(error) ?? SEND_FAILURE),
  })

  const submit = () => isFilled && sending.mutate({ ...draft, title, artist, microgenreId })

  return (
    <Form noValidate onSubmit={submit}>
      <Field
        label="Title"
        dir="auto"
        autoComplete="off"
        maxLength={MAX_SONG_TEXT_LENGTH}
        value={title}
        onChange={setTitle}
      />
      <Field
        label="Artist"
        dir="auto"
        autoComplete="off"
        maxLength={MAX_SONG_TEXT_LENGTH}
        value={artist}
        onChange={setArtist}
      />
      <MicrogenreSelect value={microgenreId} onChange={setMicrogenreId} />
      {failure && (
        <p role="alert" className="text-danger wrap-anywhere">
          {failure}
        </p>
      )}
      <SubmitButton disabled={!isFilled} pending={sending.isPending} pendingText="Sending...">
        Suggest it
      </SubmitButton>
      {remaining !== null && <p className="text-xs text-ink-2">{formatRemaining(remaining)}</p>}
    </Form>
  )
}

const send = (body: SuggestionDraft & { microgenreId: string }) => call(suggestSong, { body })

const SEND_FAILURE = 'Your suggestion was not sent. Check your connection and try again.'
