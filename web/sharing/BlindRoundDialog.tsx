import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getBlindRound,
  type OwnBlindRound,
  shareBlindRound,
  unshareBlindRound,
} from '../../contract/blindRounds.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'
import { ShareLinkOptions } from './ShareOptions.tsx'

/** Shares ten rated songs that friends rate blind, and shows their results (sharing-31, sharing-33). */
export function BlindRoundDialog(openState: OpenState) {
  return (
    <Dialog
      title="Blind Round"
      description="Friends rate ten of your songs without knowing how you did. At the end they see where you agree."
      {...openState}
    >
      <BlindRound />
    </Dialog>
  )
}

function BlindRound() {
  // Visitors may have sent results since.
  const { data: round, isError, refetch } = useQuery({ ...query(getBlindRound), staleTime: 0 })
  const queryClient = useQueryClient()
  const changing = useMutation({
    mutationFn: async () => {
      if (!round) return call(shareBlindRound)
      await call(unshareBlindRound)
      return null
    },
    onSuccess: (changed) => queryClient.setQueryData(query(getBlindRound).queryKey, changed),
    onError: (error) => toast.error(refusalMessage(error) ?? 'That did not work. Please try again.'),
  })
  if (round === undefined) {
    if (isError) return <LoadFailure onRetry={refetch}>Your round did not load.</LoadFailure>
    return <Loading>Loading your round...</Loading>
  }
  return (
    <>
      {round ? (
        <SharedRound {...round} />
      ) : (
        <p className="text-base">
          Whoever has the link sees your name and picture, and learns how you rated these ten songs. They are
          chosen at random, bangers and busts mixed.
        </p>
      )}
      <Button
        variant={round ? 'outline' : 'main'}
        className="justify-self-start"
        pending={changing.isPending}
        onClick={() => changing.mutate()}
      >
        {round ? 'Stop sharing and delete the results' : 'Yes, share ten verdicts'}
      </Button>
    </>
  )
}

function SharedRound({ shareToken, results }: OwnBlindRound) {
  return (
    <>
      <ShareLinkOptions
        kind="blind"
        shareToken={shareToken}
        text="Rate ten of my songs blind, and see where we agree."
      />
      <h3>{results.length === 0 ? 'Nobody has shown you a result yet' : 'Results'}</h3>
      <ul>
        {results.map(({ name, agreed, songs, createdAt }) => (
          <li key={`${createdAt} ${name}`} className="flex justify-between gap-4 border-t border-line py-2">
            <bdi className="min-w-0 font-semibold wrap-anywhere">{name ?? 'Anonymous'}</bdi>
            <span className="flex-none text-right text-ink-2 tabular-nums">
              agrees on {agreed} of {songs}
              <time dateTime={createdAt} className="block text-xs">
                {formatDate(createdAt)}
              </time>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
