import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { toast } from '../ui/toast.ts'
import { signInErrorMessage } from './signInErrorMessage.ts'

/** Somebody signed in opens a failed sign-in: a link's second use, a provider's return by Back, a bookmark (signin-4). */
export function AlreadySignedIn() {
  const message = signInErrorMessage(useSearch()) ?? ''
  const [, navigate] = useLocation()
  useEffect(() => {
    // Without the advice how to sign in.
    const [reason] = message.split(/(?<=\.) /)
    toast({ title: 'You are signed in', description: reason, name: 'signed-in-already' })
    navigate('/', { replace: true })
  }, [message, navigate])
  return null
}
