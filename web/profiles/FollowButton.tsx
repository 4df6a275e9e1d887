import { useQueryClient } from '@tanstack/react-query'
import { isolateName } from '../../contract/isolateName.ts'
import { follow, unfollow } from '../../contract/profiles.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Check } from '../ui/icons.tsx'
import { toast } from '../ui/toast.ts'
import { applyFollowToCache } from './peopleCache.ts'

interface FollowButtonProps {
  id: string
  /** Named in the toast and, in a list, in the button's accessible name. */
  name: string
  isFollowing: boolean
  /** False disables the button. */
  enabled?: boolean
  isInList?: boolean
}

/** Follows and unfollows; its label is the current state (people-8). */
export function FollowButton({ id, name, isFollowing, enabled = true, isInList = false }: FollowButtonProps) {
  const queryClient = useQueryClient()
  const changing = useMutation({
    mutationFn: (change: typeof follow | typeof unfollow) => call(change, { params: { id } }),
    onSuccess(status) {
      applyFollowToCache(queryClient, id, status)
      toast({
        title: 'Success',
        description: `You ${status.isFollowing ? 'now' : 'no longer'} follow ${isolateName(name)}.`,
        tone: 'success',
      })
    },
    onError: () => toast.error('Failed to update follow status. Please try again.'),
  })
  const label = isFollowing ? 'Following' : 'Follow'
  return (
    <Button
      variant={isFollowing ? 'outline' : 'main'}
      size={isInList ? 'tight' : 'normal'}
      className={isInList ? 'w-28' : ''}
      aria-label={isInList ? `${label} ${name}` : undefined}
      aria-disabled={!enabled || changing.isPending || undefined}
      onClick={() => enabled && changing.mutate(isFollowing ? unfollow : follow)}
    >
      {isFollowing && !isInList && <Check />}
      {label}
    </Button>
  )
}
