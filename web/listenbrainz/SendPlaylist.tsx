import { useQuery } from '@tanstack/react-query'
import type { LibrarySort } from '../../contract/exports.ts'
import { formatCount } from '../../contract/formatCount.ts'
import { getListenbrainz, MAX_PLAYLIST_SONGS, sendPlaylist } from '../../contract/listenbrainz.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'

interface SendPlaylistProps {
  filter: { microgenre?: string; search?: string }
  sort: LibrarySort | undefined
  /** Of them, those with a recording. */
  songs: number
}

/** Sends the bangers that the library shows to the linked account (library-35). */
export function SendPlaylist({ filter, sort = 'newest', songs }: SendPlaylistProps) {
  const { data, isError, refetch } = useQuery(query(getListenbrainz))
  const sending = useMutation({
    mutationFn: () => call(sendPlaylist, { body: { ...filter, sort } }),
    onError: (error) =>
      toast.error(
        refusalMessage(error) ??
          'No answer came. The playlist may be there all the same: please look before you try again.',
      ),
  })
  if (!data)
    return isError && <LoadFailure onRetry={refetch}>Your account at ListenBrainz did not load.</LoadFailure>
  const { service, link } = data
  const isLinked = link && !link.isRefused
  return (
    <div className="mt-6 grid justify-items-start gap-2 border-t border-line pt-4">
      <Button
        disabled={!isLinked || songs === 0}
        pending={sending.isPending}
        onClick={() => sending.mutate()}
        className="whitespace-normal!"
      >
        {sending.isPending ? 'Sending...' : `Send to ${service}`}
      </Button>
      <p role="status" className="wrap-anywhere text-ink-2">
        {sending.data
          ? formatResult(service, sending.data)
          : isLinked
            ? `As a private playlist of ${formatCount(Math.min(songs, MAX_PLAYLIST_SONGS), 'song')}.`
            : 'Link your account in your profile, under ‘Your data’, first.'}
        {sending.data?.address && (
          <a
            href={sending.data.address}
            target="_blank"
            rel="noopener noreferrer"
            className="text-ink underline underline-offset-3"
          >
            Open it
          </a>
        )}
      </p>
    </div>
  )
}

const formatResult = (service: string, { songs, sent }: { songs: number; sent: number }) =>
  sent === songs
    ? `Sent, with ${formatCount(songs, 'song')}, as a private playlist. `
    : `${service} did not take them all: ${sent.toLocaleString('en')} of ${formatCount(songs, 'song')} are there. `
