import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type Context, createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { listAchievements } from '../../contract/achievements.ts'
import { reportPlayback, reportProgress } from '../../contract/playback.ts'
import { announceAchievements } from '../achievements/announceAchievements.ts'
import { call } from '../api/call.ts'
import { useDeferredStore } from '../ui/afterPaint.ts'
import { isFrameFocusByTab } from '../ui/keyboard/focusOrigin.ts'
import { focusPage } from '../ui/keyboard/openDialogs.ts'
import { toast } from '../ui/toast.ts'
import { createPlayback, type PlaybackControls } from './createPlayback.ts'
import { manageAudioFocus } from './manageAudioFocus.ts'
import { connectMediaSession } from './mediaSession.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { type ProgressReport, watchOutcomes, watchProgress } from './playbackReports.ts'
import type { Playback } from './playbackState.ts'
import type { RequestPreview } from './previewPlayer.ts'
import type { Queue } from './queueState.ts'

interface PlaybackProviderProps {
  /** For visitors, who report nothing. */
  requestPreview?: RequestPreview
  children: ReactNode
}

/** The playback of all components inside; `VideoFrame` contains the video. */
export function PlaybackProvider({ requestPreview, children }: PlaybackProviderProps) {
  const [{ engine, controls }] = useState(() => createPlayback(requestPreview))
  const queryClient = useQueryClient()
  useEffect(() => {
    const disconnectors = [
      watchGestures(engine),
      reclaimFocus(),
      connectMediaSession(engine),
      manageAudioFocus(engine),
      ...(requestPreview
        ? []
        : [
            watchProgress(engine, (report) => void sendProgress(report, queryClient)),
            // A lost report does no harm.
            watchOutcomes(
              engine,
              (reports) => void call(reportPlayback, { body: { reports } }).catch(() => {}),
            ),
          ]),
      controls.queue.close,
      () => engine.send({ type: 'stop' }),
    ]
    return () => {
      for (const disconnect of disconnectors) disconnect()
    }
  }, [engine, controls, queryClient, requestPreview])
  return (
    <EngineContext value={engine}>
      <ControlsContext value={controls}>{children}</ControlsContext>
    </EngineContext>
  )
}

/** The controls never change, so a component that uses only them does not render again. */
export const usePlayback = (): PlaybackControls => useRequiredContext(ControlsContext)

export const usePlaybackEngine = (): PlaybackEngine => useRequiredContext(EngineContext)

/** A selected part of playback; the component renders again only when that part changes. */
export function usePlaybackState<Part>(select: (state: Playback) => Part): Part {
  return useDeferredStore(usePlaybackEngine(), select)
}

/** A selected part of the queue, like `usePlaybackState`. */
export function useQueue<Part>(select: (queue: Queue) => Part): Part {
  return useDeferredStore(usePlayback().queue, select)
}

const EngineContext = createContext<PlaybackEngine | null>(null)
const ControlsContext = createContext<PlaybackControls | null>(null)

function useRequiredContext<Value>(context: Context<Value | null>): Value {
  const value = useContext(context)
  if (!value) throw new Error('Playback is used outside of PlaybackProvider')
  return value
}

/** Tells playback of the listener's gestures: after the first one the browser allows sound (playback-5). */
function watchGestures(engine: PlaybackEngine): () => void {
  const onGesture = (event: Event) => {
    // Escape is not a gesture that allows sound.
    if (event instanceof KeyboardEvent && event.key === 'Escape') return
    engine.send({ type: 'gesture' })
  }
  const gestures = ['keydown', 'pointerup', 'click'] as const
  for (const gesture of gestures) window.addEventListener(gesture, onGesture, true)
  return () => {
    for (const gesture of gestures) window.removeEventListener(gesture, onGesture, true)
  }
}

/**
 * After a click the video has the focus and gets all keys. The page takes the focus back at once, which does not undo
 * the click (screens-6); where a browser refuses that, when the pointer enters the page again. A focus by Tab stays.
 */
function reclaimFocus(): () => void {
  let hasWarned = false
  const focusPageAgain = () => {
    if (document.activeElement instanceof HTMLIFrameElement && !isFrameFocusByTab()) focusPage()
  }
  // The frame is the active element only after the event.
  const onBlur = () => setTimeout(focusPageAgain)
  const onPointer = ({ target }: Event) => {
    const frame = document.activeElement
    if (!(frame instanceof HTMLIFrameElement) || target === frame) return
    focusPageAgain()
    if (document.activeElement !== frame || isFrameFocusByTab() || hasWarned) return
    hasWarned = true
    toast({
      title: 'The video has the keyboard focus',
      description: 'Click outside the video to use shortcuts again.',
    })
  }
  window.addEventListener('blur', onBlur)
  document.addEventListener('pointerover', onPointer)
  return () => {
    window.removeEventListener('blur', onBlur)
    document.removeEventListener('pointerover', onPointer)
  }
}

/** Sends listening progress and announces the achievement in the response (playback-20). */
async function sendProgress(report: ProgressReport, queryClient: QueryClient): Promise<void> {
  // After a failure the next report contains more.
  const { achievement } = await call(reportProgress, { body: report }).catch(() => ({ achievement: null }))
  if (!achievement) return
  announceAchievements([achievement])
  void queryClient.invalidateQueries({ queryKey: [listAchievements.path] })
}
