import { Button } from '../ui/Button.tsx'
import { SkipBack, SkipForward } from '../ui/laterIcons.ts'
import { useHotkeys } from '../ui/useHotkeys.ts'
import { PlaybackIcon, playbackLabel } from './PlaybackIcon.tsx'
import { usePlayback, usePlaybackState, useQueue } from './PlaybackProvider.tsx'
import { canToggle } from './shownPlayback.ts'
import { useQueueSteps } from './useQueueSteps.ts'

/** Play and pause, and with a queue the song before and the next one (playback-41). */
export function Transport({ active }: { active: boolean }) {
  const { toggle } = usePlayback()
  const phase = usePlaybackState((state) => state.phase)
  const usable = usePlaybackState(canToggle)
  const hasQueue = useQueue(({ songs }) => songs.length > 0)
  const isLast = useQueue(({ turn, songs, at }) => turn === 'queue' && at + 1 >= songs.length)
  const { next, previous } = useQueueSteps(active)
  useHotkeys({ ' ': toggle }, { enabled: active })
  return (
    <>
      {hasQueue && (
        <Button
          variant="bare"
          size="square"
          aria-label="Previous song"
          aria-keyshortcuts="P"
          onClick={previous}
        >
          <SkipBack />
        </Button>
      )}
      <Button
        variant="bare"
        size="square"
        aria-label={playbackLabel(phase)}
        aria-disabled={!usable || undefined}
        onClick={toggle}
      >
        <PlaybackIcon phase={phase} className="size-5" />
      </Button>
      {hasQueue && (
        <Button
          variant="bare"
          size="square"
          aria-label="Next song"
          aria-keyshortcuts="N"
          aria-disabled={isLast || undefined}
          onClick={next}
        >
          <SkipForward />
        </Button>
      )}
    </>
  )
}
