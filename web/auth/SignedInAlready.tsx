import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { toast } from '../ui/toast.ts'
import { signInError } from './signInErrors.ts'

/** Somebody signed in opens a failed sign-in: a link's second use, a provider's return by Back, a bookmark (signin-4). */
export function AlreadySignedIn() {
  const message = signInError(useSearch()) ?? ''
  const [, navigate] = useLocation()
  useEffect(() => {
    // Without the advice how to sign in.
    const [why] = message.split(/(?<=\.) /)
    toast({ title: 'You are signed in', description: why, name: 'signed-in-already' })
    navigate('/', { replace: true })
  }, [message, navigate])
  return null
}
