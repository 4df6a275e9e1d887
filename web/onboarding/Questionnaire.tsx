import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import type { CurrentUser } from '../../contract/auth.ts'
import { getPreferences } from '../../contract/onboarding.ts'
import { query } from '../api/query.ts'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { wholePreferences } from './questionnaireState.ts'
import { isSkipped, rememberSkip } from './skippedQuestionnaire.ts'

const QuestionnaireDialog = lazyPart(
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
  return user && !skippedBefore ? <Asking user={user} shown={shown} /> : null
}

function Asking({ user, shown }: { user: CurrentUser; shown: boolean }) {
  const preferences = useQuery(query(getPreferences))
  const isDue = useIsDue()
  const [progress, setProgress] = useState<'unopened' | 'open' | 'closed'>('unopened')
  // An error counts as no preferences (onboarding-8).
  const isWanted = isDue && shown && !preferences.isPending && !wholePreferences(preferences.data)
  if (isWanted && progress === 'unopened') setProgress('open')
  if (progress === 'unopened') return null
  return (
    <Suspense>
      <QuestionnaireDialog
        open={progress === 'open'}
        onSkip={() => {
          rememberSkip(user.id)
          setProgress('closed')
        }}
        onSaved={() => setProgress('closed')}
      />
    </Suspense>
  )
}

function useIsDue(): boolean {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    const timer = setInterval(() => {
      // Does not cover a dialog that was opened meanwhile.
      if (document.querySelector('[role=dialog]')) return
      clearInterval(timer)
      setIsDue(true)
    }, OPEN_DELAY)
    return () => clearInterval(timer)
  }, [])
  return isDue
}
