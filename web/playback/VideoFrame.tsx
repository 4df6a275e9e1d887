import { useEffect } from 'react'
import { useDeferredStore } from '../ui/afterPaint.ts'
import { useIsDialogOpen } from '../ui/keyboard/openDialogs.ts'
import * as media from '../ui/media.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { usePlayback, usePlaybackEngine, usePlaybackState } from './PlaybackProvider.tsx'
import { isPrepared, showsVideo } from './playbackState.ts'

/**
 * The video of the current song: on the stage of Discover, elsewhere docked (ui/style.css). Nothing may cover it, as
 * YouTube's terms require (playback-10), so dialogs, toasts and pages leave space for an element with `data-frame`.
 * Where a dialog cannot, the video is paused and hidden (screens-17), as it is during the questionnaire (onboarding-8).
 */
export function VideoFrame() {
  const engine = usePlaybackEngine()
  const hasVideo = usePlaybackState(showsVideo)
  const isTiny = useMediaQuery(media.tiny)
  const { pause, isSuspended: suspendedStore } = usePlayback()
  const isSuspended = useDeferredStore(suspendedStore, (state) => state)
  const isHidden = (useIsDialogOpen() && isTiny) || isSuspended
  useEffect(() => {
    if (isHidden) pause()
  }, [isHidden, pause])
  const isInvisible = usePlaybackState(isPrepared)
  return (
    <aside
      aria-label="Video"
      data-frame={hasVideo && !isHidden ? '' : undefined}
      hidden={!hasVideo || isHidden}
      className="video-frame pointer-events-auto fixed top-(--size-header-phone) right-0 z-(--z-video) h-(--dock-h) w-(--dock-w) overflow-hidden wide:top-auto wide:right-6 wide:bottom-[calc(1.5rem+var(--lift))] low:top-auto low:right-3 low:bottom-3 tiny:absolute tiny:z-[calc(var(--z-nav)-1)]"
    >
      <div
        ref={engine.setSlot}
        className={`absolute inset-0 [&_audio]:hidden [&_iframe]:block [&_iframe]:size-full ${isInvisible ? 'invisible' : ''}`}
      />
    </aside>
  )
}
