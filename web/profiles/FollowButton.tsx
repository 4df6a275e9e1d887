import { useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import {
  type FollowStatus,
  follow,
  getFollowStatus,
  listPublicUsers,
  unfollow,
} from '../../contract/profiles.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useAction } from '../api/useAction.ts'
import { refreshCurrentUser } from '../auth/currentUser.ts'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { toast } from '../ui/toast.ts'

interface FollowButtonProps {
  id: string
  name: string
  status: { data: FollowStatus | undefined; isPending: boolean; isError: boolean; refetch: () => unknown }
}

/** Shows the state, Follow or Following, and toggles it (people-8). */
export function FollowButton({ id, name, status }: FollowButtonProps) {
  const { data, isPending, isError, refetch } = status
  const isFollowing = data?.isFollowing ?? false
  const changing = useFollowChange(id, name)
  if (isError && !data)
    return <LoadFailure onRetry={() => void refetch()}>Your follow status did not load.</LoadFailure>
  return (
    <Button
      variant={isFollowing ? 'outline' : 'main'}
      aria-disabled={isPending || changing.isPending || undefined}
      onClick={() => !isPending && changing.mutate(isFollowing ? unfollow : follow)}
    >
      {isFollowing && <Check className="size-5" strokeWidth={1.75} aria-hidden="true" />}
      {isFollowing ? 'Following' : 'Follow'}
    </Button>
  )
}

function useFollowChange(id: string, name: string) {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (change: typeof follow | typeof unfollow) => call(change, { params: { id } }),
    onSuccess(status) {
      queryClient.setQueryData(query(getFollowStatus, { params: { id } }).queryKey, status)
      void queryClient.invalidateQueries({ queryKey: [listPublicUsers.path] })
      void refreshCurrentUser()
      toast({
        title: 'Success',
        description: status.isFollowing ? `You now follow ${name}.` : `You no longer follow ${name}.`,
        tone: 'success',
      })
    },
    onError() {
      toast({
        title: 'Error',
        description: 'Failed to update follow status. Please try again.',
        tone: 'error',
      })
    },
  })
}
