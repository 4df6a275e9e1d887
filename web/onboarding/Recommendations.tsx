import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import {
  getPreferences,
  type Preferences,
  recommendMicrogenres,
  savePreferences,
} from '../../contract/onboarding.ts'
import type { RecommendedMicrogenre } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { selectMicrogenre } from '../discovery/selectMicrogenre.ts'
import { Cover } from '../ui/art/Cover.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { focusElement } from '../ui/keyboard/focusElement.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'

interface RecommendationsProps {
  preferences: Preferences
  onStartOver: () => void
  onSaved: () => void
}

/** The recommended microgenres. A press starts with one, the main button with the first. */
export function Recommendations({ preferences, onStartOver, onSaved }: RecommendationsProps) {
  const { data, isPending, isError, refetch } = useQuery(query(recommendMicrogenres, { query: preferences }))
  const recommended = data?.recommendedMicrogenres ?? []
  const saveMutation = useSavePreferences(preferences, onSaved)
  return (
    <div ref={focusElement} tabIndex={-1} className="grid gap-3 outline-none">
      {isPending ? (
        <Loading>Finding your microgenres...</Loading>
      ) : isError ? (
        <LoadFailure onRetry={refetch}>
          Your microgenres did not load. Your answers can be saved all the same.
        </LoadFailure>
      ) : recommended.length === 0 ? (
        <p className="text-base text-ink-2">There are no microgenres to recommend yet.</p>
      ) : (
        <>
          <p className="text-ink-2">Start with the first, or press another.</p>
          <ul aria-label="Recommended microgenres">
            {recommended.map((microgenre) => (
              <RecommendedRow
                key={microgenre.id}
                microgenre={microgenre}
                isSaving={saveMutation.isPending}
                onChoose={() => saveMutation.mutate(microgenre)}
              />
            ))}
          </ul>
        </>
      )}
      <Button
        variant="bare"
        size="tight"
        className="-ml-3 justify-self-start"
        pending={saveMutation.isPending}
        onClick={() => saveMutation.mutate('imports')}
      >
        Bring your loves from elsewhere
      </Button>
      {/* Stays in sight while the list scrolls, where there is height for both (onboarding-11). */}
      <div className="-mx-5 -mb-5 flex flex-wrap gap-x-3 gap-y-1 border-t border-line bg-surface px-5 pt-3 pb-4 wide:-mx-7 wide:-mb-7 wide:px-7 wide:pb-7 [@media(height>=30rem)]:sticky [@media(height>=30rem)]:bottom-0">
        <Button
          variant="main"
          size="big"
          className="flex-1 max-wide:basis-full"
          aria-disabled={saveMutation.isPending || isPending || undefined}
          onClick={() => !isPending && saveMutation.mutate(recommended[0])}
        >
          {saveMutation.isPending ? 'Saving...' : 'Save & Start Exploring'}
        </Button>
        <Button variant="bare" className="max-wide:flex-1 wide:min-h-14" onClick={onStartOver}>
          Start Over
        </Button>
      </div>
    </div>
  )
}

interface RecommendedRowProps {
  microgenre: RecommendedMicrogenre
  isSaving: boolean
  onChoose: () => void
}

function RecommendedRow({
  microgenre: { name, description, color, reason },
  isSaving,
  onChoose,
}: RecommendedRowProps) {
  return (
    <li data-genre="" style={{ '--genre': color }} className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-disabled={isSaving || undefined}
        onClick={onChoose}
        className="grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 rounded-control py-2 text-left hover:bg-raised [@media(height>=30rem)]:scroll-mb-36"
      >
        <span className="row-span-2 block size-12 wide:size-14">
          <Cover title={name} color={color} />
        </span>
        <b className="font-display font-bold font-stretch-(--width-heading) wrap-anywhere">{name}</b>
        <span className="col-start-2 row-start-2 text-xs max-wide:col-end-4">
          <span className="block font-semibold wrap-anywhere">{reason}</span>
          <span className="line-clamp-2 text-ink-2 wide:line-clamp-none">{description}</span>
        </span>
        <span className="col-start-3 row-start-1 rounded-[4px] border border-accent-line px-2 py-0.5 text-2xs font-semibold text-accent wide:row-span-2">
          Recommended
        </span>
      </button>
    </li>
  )
}

/** Saves the answers, then opens a microgenre (onboarding-6, onboarding-10), or the page of imports. */
function useSavePreferences(preferences: Preferences, onSaved: () => void) {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: (_: RecommendedMicrogenre | 'imports' | undefined) =>
      call(savePreferences, { body: preferences }),
    onSuccess(_, chosen) {
      queryClient.setQueryData(query(getPreferences).queryKey, preferences)
      toast({ title: 'Preferences saved!', tone: 'success' })
      onSaved()
      if (chosen === 'imports') navigate('/imports')
      else if (chosen) selectMicrogenre(chosen.id)
    },
    onError() {
      toast.error('Failed to save preferences. Please try again.', 'Oops!')
    },
  })
}
