import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getPreferences,
  type Preferences,
  recommendMicrogenres,
  savePreferences,
} from '../../contract/onboarding.ts'
import type { Microgenre } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useAction } from '../api/useAction.ts'
import { raiseMicrogenreSelected } from '../discovery/microgenreSelected.ts'
import { Button } from '../ui/Button.tsx'
import { Cover } from '../ui/Cover.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { toast } from '../ui/toast.ts'
import { useFocusOnMount } from '../ui/useFocusOnMount.ts'

interface RecommendationsProps {
  preferences: Preferences
  onStartOver: () => void
  onSaved: () => void
}

/** The recommendations for the four answers. */
export function Recommendations({ preferences, onStartOver, onSaved }: RecommendationsProps) {
  const { data, isPending, isError, refetch } = useQuery(query(recommendMicrogenres, { query: preferences }))
  const recommended = data?.recommendedMicrogenres ?? []
  const saving = useSave(preferences, recommended[0], onSaved)
  // The focused question is gone.
  const results = useFocusOnMount<HTMLDivElement>()
  return (
    <div ref={results} tabIndex={-1} className="grid gap-4 outline-none wide:gap-5">
      {isPending ? (
        <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-ink-2">
          <Spinner /> Finding your microgenres...
        </p>
      ) : isError ? (
        <LoadFailure onRetry={() => void refetch()}>
          Your microgenres did not load. Your answers can be saved all the same.
        </LoadFailure>
      ) : recommended.length === 0 ? (
        <p className="text-base text-ink-2">There are no microgenres to recommend yet.</p>
      ) : (
        <ul aria-label="Recommended microgenres">
          {recommended.map((microgenre) => (
            <RecommendedRow key={microgenre.id} microgenre={microgenre} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="main"
          size="big"
          className="flex-1 max-wide:basis-full"
          aria-disabled={saving.isPending || isPending || undefined}
          onClick={() => !isPending && saving.mutate()}
        >
          {saving.isPending ? 'Saving...' : 'Save & Start Exploring'}
        </Button>
        <Button variant="bare" size="big" className="max-wide:flex-1" onClick={onStartOver}>
          Start Over
        </Button>
      </div>
    </div>
  )
}

function RecommendedRow({ microgenre: { name, description, color } }: { microgenre: Microgenre }) {
  return (
    <li
      data-genre=""
      style={{ '--genre': color }}
      className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3.5 gap-y-1 border-b border-line py-2 wide:grid-cols-[auto_minmax(0,1fr)_auto]"
    >
      <span className="block size-14">
        <Cover title={name} color={color} />
      </span>
      <span className="grid">
        <b className="font-display font-bold font-stretch-(--width-heading)">{name}</b>
        <span className="text-xs text-ink-2">{description}</span>
      </span>
      <span className="justify-self-start rounded-[4px] border border-accent-line px-2 py-0.5 text-2xs font-semibold text-accent max-wide:col-start-2">
        Recommended
      </span>
    </li>
  )
}

/** Saves the answers, then opens the first recommendation (onboarding-6). */
function useSave(preferences: Preferences, first: Microgenre | undefined, onSaved: () => void) {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: () => call(savePreferences, { body: preferences }),
    onSuccess() {
      queryClient.setQueryData(query(getPreferences).queryKey, preferences)
      toast({ title: 'Preferences saved!', tone: 'success' })
      onSaved()
      if (first) raiseMicrogenreSelected(first.id)
    },
    onError() {
      toast({
        title: 'Oops!',
        description: 'Failed to save preferences. Please try again.',
        tone: 'error',
      })
    },
  })
}
