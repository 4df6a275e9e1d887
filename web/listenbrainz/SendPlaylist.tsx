import { useQuery } from '@tanstack/react-query'
import type { LibrarySort } from '../../contract/exports.ts'
import { getListenbrainz, MAX_PLAYLIST_SONGS, sendPlaylist } from '../../contract/listenbrainz.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { toast } from '../ui/toast.ts'

interface SendPlaylistProps {
  filter: { microgenre?: string; search?: string }
  sort: LibrarySort | undefined
  /** Of them, those with a recording. */
  songs: number
}

/** Sends the bangers that the library shows to the linked account (library-35). */
export function SendPlaylist({ filter, sort = 'newest', songs }: SendPlaylistProps) {
  const { data } = useQuery(query(getListenbrainz))
  const sending = useMutation({
    mutationFn: () => call(sendPlaylist, { body: { ...filter, sort } }),
    onError: (error) =>
      toast.error(refusalMessage(error) ?? 'The playlist was not sent. Please try again in a few minutes.'),
  })
  if (!data) return null
  const { service, link } = data
  const isLinked = link && !link.isRefused
  const sent = sending.data
  return (
    <div className="mt-6 grid justify-items-start gap-2 border-t border-line pt-4">
      <Button
        disabled={!isLinked || songs === 0}
        pending={sending.isPending}
        onClick={() => sending.mutate()}
        className="whitespace-normal"
      >
        {sending.isPending ? 'Sending...' : `Send to ${service}`}
      </Button>
      <p role="status" className="wrap-anywhere text-ink-2">
        {sent
          ? sent.sent === sent.songs
            ? `Sent, with ${songCount(sent.songs)}, as a private playlist. `
            : `${service} stopped to answer: ${sent.sent} of ${songCount(sent.songs)} are there. `
          : isLinked
            ? `As a private playlist of ${songCount(Math.min(songs, MAX_PLAYLIST_SONGS))}.`
            : 'Link your account in your profile, under ‘Your data’, first.'}
        {sent?.address && (
          <a
            href={sent.address}
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

const songCount = (count: number) => `${count.toLocaleString('en')} song${count === 1 ? '' : 's'}`
