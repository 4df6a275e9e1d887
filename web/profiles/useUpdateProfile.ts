import type { BodyOf } from '../../contract/endpoint.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { setCurrentUser } from '../auth/currentUser.ts'
import { toast } from '../ui/toast.ts'

/** Updates the own profile and shows a toast; the form keeps what was typed. */
export function useUpdateProfile() {
  return useMutation({
    mutationFn: (change: BodyOf<typeof updateProfile>) => call(updateProfile, { body: change }),
    onSuccess(user) {
      setCurrentUser(user)
      toast({ title: 'Profile Updated', description: 'Your changes are saved.', tone: 'success' })
    },
    onError: () => toast.error('Failed to update profile. Please try again.'),
  })
}
