import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { listSuggestions, type OwnSuggestion, withdrawSuggestion } from '../../contract/suggestions.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/controls/Tabs.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'
import { NewSuggestion } from './NewSuggestion.tsx'
import { formatSuggestionState } from './suggestionTexts.ts'

/** A listener suggests a song, such as that of `words`, and sees what became of earlier suggestions (desk-24, desk-7). */
export function SuggestDialog({ open, onOpenChange, words = '' }: OpenState & { words?: string }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Suggest a song" width="36rem" tall>
      <SuggestionTabs words={words} />
    </Dialog>
  )
}

type SuggestionTab = 'new' | 'own'

function SuggestionTabs({ words }: { words: string }) {
  const [tab, setTab] = useState<SuggestionTab>('new')
  // Stewards may have decided meanwhile.
  const ownSuggestions = useQuery({ ...query(listSuggestions), staleTime: 0 })
  const count = ownSuggestions.data?.suggestions.length
  return (
    <Tabs value={tab} onValueChange={(value) => setTab(value as SuggestionTab)}>
      <TabList label="Suggestions">
        <Tab value="new">New</Tab>
        <Tab value="own">{count ? `Yours (${count})` : 'Yours'}</Tab>
      </TabList>
      {/* Stays mounted, so that what was typed is still there. */}
      <TabPanel
        value="new"
        forceMount
        hidden={tab !== 'new'}
        className="grid grid-cols-[minmax(0,1fr)] content-start gap-4"
      >
        <NewSuggestion words={words} remaining={ownSuggestions.data?.left ?? null} />
      </TabPanel>
      <TabPanel value="own">
        <OwnSuggestions ownSuggestions={ownSuggestions} />
      </TabPanel>
    </Tabs>
  )
}

/** The listener's suggestions; one that waits can be withdrawn (desk-7). */
function OwnSuggestions({
  ownSuggestions,
}: {
  ownSuggestions: UseQueryResult<ResponseOf<typeof listSuggestions>>
}) {
  if (!ownSuggestions.data) {
    return ownSuggestions.isError ? (
      <LoadFailure onRetry={ownSuggestions.refetch}>Your suggestions did not load.</LoadFailure>
    ) : (
      <p role="status" className="text-ink-2">
        Loading your suggestions...
      </p>
    )
  }
  const { suggestions } = ownSuggestions.data
  if (suggestions.length === 0) return <p className="text-ink-2">You have suggested no song yet.</p>
  return (
    <ul aria-label="Your suggestions" className="border-t border-line">
      {suggestions.map((suggestion) => (
        <OwnSuggestionRow key={suggestion.id} suggestion={suggestion} />
      ))}
    </ul>
  )
}

function OwnSuggestionRow({ suggestion }: { suggestion: OwnSuggestion }) {
  const { id, title, artist, microgenre, state } = suggestion
  const queryClient = useQueryClient()
  const withdrawing = useMutation({
    mutationFn: () => call(withdrawSuggestion, { params: { id } }),
    onError: (error) =>
      toast.error(refusalMessage(error) ?? 'Your suggestion was not taken back. Please try again.'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [listSuggestions.path] }),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2">
      <div className="grid min-w-48 flex-1">
        <b dir="auto" className="text-left font-semibold wrap-anywhere">
          {title}
        </b>
        <span className="text-xs text-ink-2 wrap-anywhere">
          <bdi>{artist}</bdi> · <bdi>{microgenre}</bdi>
        </span>
        <span className="text-xs wrap-anywhere">{formatSuggestionState(suggestion)}</span>
      </div>
      {state === 'waiting' && (
        <Button size="tight" aria-label={`Take back: ${title}`} onClick={() => withdrawing.mutate()}>
          Take back
        </Button>
      )}
    </li>
  )
}
