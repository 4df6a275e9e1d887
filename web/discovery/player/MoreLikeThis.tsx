import { useRef } from 'react'
import type { OfferedSong } from '../../../contract/discovery.ts'
import { leanTowards } from '../../../contract/discovery.ts'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/useMutation.ts'
import { usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { getSoundPrompt } from '../../playback/playbackState.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { focusPage } from '../../ui/keyboard/openDialogs.ts'
import { toast } from '../../ui/toast.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import { leanSong } from '../engine/discoveryState.ts'

/** In the reveal of a banger, and while it can be undone: the songs to come lean towards it (discover-91). */
export function MoreLikeThis({ discovery }: { discovery: DiscoveryEngine }) {
  const song = useDeferredStore(discovery, leanSong)
  const place = useRef<HTMLDivElement>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: ({ song }: { song: OfferedSong; visit: number }) =>
      call(leanTowards, { params: { id: song.id } }),
    onSuccess(_, { song, visit }) {
      // The button goes.
      if (place.current?.contains(document.activeElement)) focusPage()
      discovery.send({ type: 'leaned', visit, songId: song.id })
      toast({ title: 'The next songs lean towards it' })
    },
    onError: () => toast.error('Failed to find more like this. Please try again.'),
  })
  const isRevealed = useDeferredStore(discovery, (state) => state.pending !== null)
  // In its place.
  const hasSoundPrompt = usePlaybackState((state) => getSoundPrompt(state) !== null)
  if (!song || hasSoundPrompt) return null
  return (
    <div ref={place} className="@container-[size] pointer-events-none absolute inset-0 z-3">
      <Button
        variant="main"
        size="tight"
        pending={isPending}
        // Small art has no room beside the reveal's sentence.
        className={`pointer-events-auto absolute right-2 bottom-2 phone:px-2 phone:text-xs/4 ${isRevealed ? '[@container(max-height:9rem)]:hidden' : ''}`}
        onClick={() => mutate({ song, visit: discovery.getState().visit })}
      >
        More like this
      </Button>
    </div>
  )
}
