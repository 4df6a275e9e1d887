import { usePlaybackEngine, usePlaybackState } from './PlaybackProvider.tsx'
import { isAhead, showsVideo } from './shownPlayback.ts'

/**
 * The video of the current song; without one there is no box. On Discover it is on the stage, elsewhere docked: see
 * ui/style.css. It is above particles and scrims and nothing covers it, as YouTube's terms require (playback-10):
 * dialogs, toasts and pages leave space for elements with `data-frame`.
 */
export function VideoFrame() {
  const engine = usePlaybackEngine()
  const shown = usePlaybackState(showsVideo)
  const ahead = usePlaybackState(isAhead)
  return (
    <aside aria-label="Video" data-frame={shown ? '' : undefined} hidden={!shown} className="video-frame">
      <div
        ref={engine.setSlot}
        className={`absolute inset-0 [&_audio]:hidden [&_iframe]:block [&_iframe]:size-full ${ahead ? 'invisible' : ''}`}
      />
    </aside>
  )
}
