import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CurrentUser } from '../../contract/auth.ts'
import { getPreferences } from '../../contract/onboarding.ts'
import { query } from '../api/query.ts'
import { useCurrentUser } from '../auth/currentUser.ts'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { useIsDialogOpen } from '../ui/keyboard/openDialogs.ts'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { parseScreenParams } from '../ui/screenParams.ts'
import {
  completePreferences,
  hasSkippedQuestionnaire,
  rememberQuestionnaireSkip,
} from './questionnaireState.ts'

const QuestionnaireDialog = lazyDialog(
  async () => (await import('./QuestionnaireDialog.tsx')).QuestionnaireDialog,
)

/** Milliseconds after the page has loaded (onboarding-8). */
const OPEN_DELAY = 1000

/** Opens once for a listener without preferences, and not after a skip (onboarding-8). */
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
  useSuspendedPlayback(progress === 'open')
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

/** Pauses playback meanwhile. It resumes afterwards, unless another microgenre was chosen. */
function useSuspendedPlayback(isOpen: boolean): void {
  const { suspend } = usePlayback()
  useEffect(() => {
    if (!isOpen) return
    const readMicrogenre = () => parseScreenParams(location.search).microgenre
    const previousMicrogenre = readMicrogenre()
    const resume = suspend()
    return () => resume(previousMicrogenre === null || previousMicrogenre === readMicrogenre())
  }, [isOpen, suspend])
}

/** True after a second without another dialog, which the questionnaire must not cover. */
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
