import { useQuery } from '@tanstack/react-query'
import { getSongExplanation, type OfferedSong } from '../../../contract/discovery.ts'
import type { ResponseOf } from '../../../contract/endpoint.ts'
import { isolateName } from '../../../contract/isolateName.ts'
import { query } from '../../api/query.ts'
import { SongSettings } from '../../profiles/SongSettings.tsx'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { Dialog, type OpenState } from '../../ui/dialogs/Dialog.tsx'
import { LoadFailure } from '../../ui/page/Loading.tsx'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import { shownSong } from '../engine/discoveryState.ts'

interface WhyDialogProps extends OpenState {
  discovery: DiscoveryEngine
}

/** Explains why the song on screen comes (discover-65), and lets the listener choose how songs are picked. */
export function WhyDialog({ open, onOpenChange, discovery }: WhyDialogProps) {
  const song = useDeferredStore(discovery, shownSong)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Why this song?"
      width="28rem"
      description={song && <SongAndArtist {...song} />}
    >
      {song &&
        (song.reason === 'taste' || song.reason === 'more-like' ? (
          <TasteReason song={song} />
        ) : (
          <p>{reasonTexts[song.reason](song)}</p>
        ))}
      <div className="mt-5 border-t border-line pt-5">
        <SongSettings />
      </div>
    </Dialog>
  )
}

const reasonTexts = {
  liked: ({ microgenre }) =>
    `Listeners bang it more often than the average song of ${isolateName(microgenre)}.`,
  rare: () => 'Few listeners have heard it yet, so it gets its chance.',
  shuffle: ({ microgenre }) =>
    `It comes from your shuffle, in which every song of ${isolateName(microgenre)} has its turn.`,
  'put-off': () => 'You said ‘Not now’ to it, so it comes again.',
} satisfies Record<Exclude<OfferedSong['reason'], 'taste' | 'more-like'>, (song: OfferedSong) => string>

/** The listener's bangers that are most like the song. */
function TasteReason({ song }: { song: OfferedSong }) {
  const why = query(getSongExplanation, { params: { id: song.id } })
  // Every rating may change the reasons.
  const { data, isError, refetch } = useQuery({ ...why, staleTime: 0 })
  if (isError && !data) return <LoadFailure onRetry={refetch}>Your bangers did not load.</LoadFailure>
  return <p role="status">{data ? <BangersOfTaste {...data} /> : 'Looking through your bangers...'}</p>
}

function BangersOfTaste({ bangers: [first, second], moreLike }: ResponseOf<typeof getSongExplanation>) {
  if (moreLike)
    return (
      <>
        You asked for more like <SongAndArtist {...moreLike} />
      </>
    )
  if (!first) return 'It fits your ratings as a whole, and no single banger stands out.'
  return (
    <>
      Because you banged <SongAndArtist {...first} />
      {second && ' and '}
      {second && <SongAndArtist {...second} />}
    </>
  )
}

function SongAndArtist({ title, artist }: { title: string; artist: string }) {
  return (
    <>
      <bdi className="font-semibold text-ink wrap-anywhere">{title}</bdi> by{' '}
      <bdi className="wrap-anywhere">{artist}</bdi>
    </>
  )
}
