import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CurrentUser } from '../../contract/auth.ts'
import { getPreferences } from '../../contract/onboarding.ts'
import { query } from '../api/query.ts'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { useIsDialogOpen } from '../ui/keyboard/openDialogs.ts'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { parseScreenParams } from '../ui/screenParams.ts'
import { completePreferences } from './questionnaireState.ts'
import { hasSkippedQuestionnaire, rememberQuestionnaireSkip } from './skippedQuestionnaire.ts'

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
  const [hasSkipped] = useState(() => user !== null && hasSkippedQuestionnaire(user.id))
  return user && !hasSkipped ? <QuestionnaireForUser user={user} shown={shown} /> : null
}

function QuestionnaireForUser({ user, shown }: { user: CurrentUser; shown: boolean }) {
  const preferences = useQuery(query(getPreferences))
  const isDue = useIsDue()
  const [progress, setProgress] = useState<'due' | 'open' | 'closed'>('due')
  // An error counts as no preferences (onboarding-8).
  const shouldOpen = isDue && shown && !preferences.isPending && !completePreferences(preferences.data)
  if (shouldOpen && progress === 'due') setProgress('open')
  useHushedPlayback(progress === 'open')
  return (
    <QuestionnaireDialog
      open={progress === 'open'}
      onSkip={() => {
        rememberQuestionnaireSkip(user.id)
        setProgress('closed')
      }}
      onSaved={() => setProgress('closed')}
    />
  )
}

/** Nothing sounds under the questions. What played goes on afterwards, unless another microgenre was chosen. */
function useHushedPlayback(isOpen: boolean): void {
  const { suspend: hush } = usePlayback()
  useEffect(() => {
    if (!isOpen) return
    const readMicrogenre = () => parseScreenParams(location.search).microgenre
    const previousMicrogenre = readMicrogenre()
    const unhush = hush()
    return () => unhush(previousMicrogenre === null || previousMicrogenre === readMicrogenre())
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
