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

/** Milliseconds after the page is there (spec §9). */
const OPEN_DELAY = 1000

/** Asks who has said nothing about their taste yet, once per page load and not after a skip (spec §4). */
export function Questionnaire({ shown }: { shown: boolean }) {
  const { user } = useCurrentUser()
  const [skippedBefore] = useState(() => user !== null && isSkipped(user.id))
  return user && !skippedBefore ? <Asking user={user} shown={shown} /> : null
}

function Asking({ user, shown }: { user: CurrentUser; shown: boolean }) {
  const preferences = useQuery(query(getPreferences))
  const isDue = useIsDue()
  const [progress, setProgress] = useState<'unopened' | 'open' | 'closed'>('unopened')
  // An error counts as nothing: better asked twice than never (QUESTIONNAIRE-15).
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
      // Not on top of a dialog that the listener has opened meanwhile.
      if (document.querySelector('[role=dialog]')) return
      clearInterval(timer)
      setIsDue(true)
    }, OPEN_DELAY)
    return () => clearInterval(timer)
  }, [])
  return isDue
}
