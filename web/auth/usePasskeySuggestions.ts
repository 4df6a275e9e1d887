import { useEffect } from 'react'
import { toast } from '../ui/toast.ts'
import { askForPasskey, canUsePasskeys, finishSignIn, stopAskingForPasskey } from './passkeys.ts'
import { whyNotSignedIn } from './whyNoPasskey.ts'

/**
 * Offers passkeys among the suggestions of the e-mail field, in browsers that do so (signin-20). Without them, and when
 * the dialog of the button takes over, nothing is said.
 */
export function usePasskeySuggestions(): void {
  useEffect(() => {
    if (!canUsePasskeys) return
    const leaving = new AbortController()
    offer(leaving.signal).catch(() => {})
    return () => {
      leaving.abort()
      stopAskingForPasskey().catch(() => {})
    }
  }, [])
}

/** Once: a failure is told, and then there is the button. */
async function offer(leaving: AbortSignal): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || leaving.aborted) return
  const chosen = await askForPasskey('suggestions')
  await finishSignIn(chosen).catch((error: Error) =>
    toast({ title: 'Not signed in', description: whyNotSignedIn(error), tone: 'error' }),
  )
}
