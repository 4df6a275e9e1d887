import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { Fingerprint } from '../ui/icons.ts'
import { toast } from '../ui/toast.ts'
import { askForPasskey, canUsePasskeys, finishSignIn } from './passkeys.ts'
import { whyNotSignedIn } from './whyNoPasskey.ts'

/** Signs in with a passkey that the browser finds, without a name or an address (signin-20). */
export function PasskeyButton() {
  const signingIn = useAction({
    mutationFn: async () => finishSignIn(await askForPasskey()),
    onError: (error) => toast({ title: 'Not signed in', description: whyNotSignedIn(error), tone: 'error' }),
  })
  if (!canUsePasskeys) return null
  return (
    <Button
      className="min-h-12 w-full justify-start!"
      pending={signingIn.isPending}
      onClick={() => signingIn.mutate()}
    >
      <Fingerprint className="size-5 flex-none" />
      Sign in with a passkey
    </Button>
  )
}
