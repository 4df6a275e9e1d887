import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CurrentUser } from '../../contract/auth.ts'
import { getPreferences } from '../../contract/onboarding.ts'
import { query } from '../api/query.ts'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { useIsDialogOpen } from '../ui/openDialogs.ts'
import { readPlace } from '../ui/place.ts'
import { wholePreferences } from './questionnaireState.ts'
import { isSkipped, rememberSkip } from './skippedQuestionnaire.ts'

const QuestionnaireDialog = lazyDialog(
  async () => (await import('./QuestionnaireDialog.tsx')).QuestionnaireDialog,
)

/** Milliseconds after the page has loaded (onboarding-8). */
const OPEN_DELAY = 1000

/**
 * Opens the questionnaire for a listener without preferences, once per page load and not after a skip
 * (onboarding-8).
 */
export function Questionnaire({ shown }: { shown: boolean }) {
  const { user } = useCurrentUser()
  const [skippedBefore] = useState(() => user !== null && isSkipped(user.id))
  return user && !skippedBefore ? <QuestionnaireForUser user={user} shown={shown} /> : null
}

function QuestionnaireForUser({ user, shown }: { user: CurrentUser; shown: boolean }) {
  const preferences = useQuery(query(getPreferences))
  const isDue = useIsDue()
  const [progress, setProgress] = useState<'due' | 'open' | 'closed'>('due')
  // An error counts as no preferences (onboarding-8).
  const isWanted = isDue && shown && !preferences.isPending && !wholePreferences(preferences.data)
  if (isWanted && progress === 'due') setProgress('open')
  useSilence(progress === 'open')
  return (
    <QuestionnaireDialog
      open={progress === 'open'}
      onSkip={() => {
        rememberSkip(user.id)
        setProgress('closed')
      }}
      onSaved={() => setProgress('closed')}
    />
  )
}

/** Nothing sounds under the questions. What played goes on afterwards, unless another microgenre was chosen. */
function useSilence(isOpen: boolean): void {
  const { suspend: hush } = usePlayback()
  useEffect(() => {
    if (!isOpen) return
    const microgenre = () => readPlace(location.search).microgenre
    const before = microgenre()
    const end = hush()
    return () => end(before === null || before === microgenre())
  }, [isOpen, hush])
}

/** After a second in which no other dialog was open, because it must not cover one. */
function useIsDue(): boolean {
  const isCovered = useIsDialogOpen()
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    if (isCovered) return
    const timer = setTimeout(() => setIsDue(true), OPEN_DELAY)
    return () => {
      clearTimeout(timer)
      setIsDue(false)
    }
  }, [isCovered])
  return isDue
}
