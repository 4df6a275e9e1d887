import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useDeferredStore } from '../ui/afterPaint.ts'
import { useIsDialogOpen } from '../ui/keyboard/openDialogs.ts'
import * as media from '../ui/media.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { usePlayback, usePlaybackEngine, usePlaybackState } from './PlaybackProvider.tsx'
import { isPrepared, showsVideo } from './playbackState.ts'

/**
 * The video of the current song: on the stage of Discover, elsewhere docked (ui/style.css). Nothing may cover it, as
 * YouTube's terms require (playback-10), so dialogs, toasts and pages leave space for an element with `data-frame`.
 * Where a dialog cannot, the video is paused and hidden (screens-17), as it is during the questionnaire (onboarding-8)
 * and while a phone's bar is folded.
 */
export function VideoFrame() {
  const engine = usePlaybackEngine()
  const hasVideo = usePlaybackState(showsVideo)
  const isTiny = useMediaQuery(media.tiny)
  const { pause, isSuspended: suspendedStore, isFolded: foldedStore } = usePlayback()
  const isSuspended = useDeferredStore(suspendedStore, (state) => state)
  const isFolded = useStore(foldedStore)
  const isHidden = (useIsDialogOpen() && isTiny) || isSuspended || isFolded
  useEffect(() => {
    if (isHidden) pause()
  }, [isHidden, pause])
  const isInvisible = usePlaybackState(isPrepared)
  return (
    <aside
      aria-label="Video"
      data-frame={hasVideo && !isHidden ? '' : undefined}
      hidden={!hasVideo || isHidden}
      className="video-frame pointer-events-auto fixed right-6 bottom-6 z-(--z-video) h-(--size-video-least) w-(--dock-w) overflow-hidden phone:right-auto phone:bottom-(--nav-h) phone:left-0 phone:h-(--below) low:right-3 low:bottom-3 tiny:relative tiny:inset-auto tiny:order-first tiny:h-(--size-video-least) tiny:z-[calc(var(--z-nav)-1)]"
    >
      <div
        ref={engine.setSlot}
        className={`absolute inset-0 [&_audio]:hidden [&_iframe]:block [&_iframe]:size-full ${isInvisible ? 'invisible' : ''}`}
      />
    </aside>
  )
}
