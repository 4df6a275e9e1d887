import { useQueryClient } from '@tanstack/react-query'
import { type Context, createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { createStore } from 'zustand'
import { listAchievements } from '../../contract/achievements.ts'
import { songName } from '../../contract/isolateName.ts'
import { reportPlayback, reportProgress } from '../../contract/playback.ts'
import type { Song } from '../../contract/shapes.ts'
import { announceAchievements } from '../achievements/announceAchievements.ts'
import { call } from '../api/call.ts'
import { type ReadonlyStore, useDeferredStore } from '../ui/afterPaint.ts'
import { isFrameFocusByTab } from '../ui/keyboard/focusOrigin.ts'
import { focusPage, isDialogOpen } from '../ui/keyboard/openDialogs.ts'
import { areShortcutsOn } from '../ui/keyboard/useHotkeys.ts'
import { toast } from '../ui/toast.ts'
import { blockPlayback, manageAudioFocus } from './manageAudioFocus.ts'
import { createPlaybackEngine, type PlaybackEngine } from './playbackEngine.ts'
import { shouldPlay } from './playbackMachine.ts'
import { watchOutcomes, watchProgress } from './playbackReports.ts'
import type { Playback } from './playbackState.ts'
import type { OpenPlayer, Source } from './player.ts'
import { openPreviewPlayer, prefetchPreview } from './previewPlayer.ts'
import { createQueueControls, type QueueControls } from './queueControls.ts'
import type { Queue } from './queueState.ts'
import { readStoredVolume, storeVolume } from './storedVolume.ts'
import { useMediaSession } from './useMediaSession.ts'
import { loadIframeApi, openYoutubePlayer } from './youtubePlayer.ts'

/** The playback of all components inside; `VideoFrame` contains the video. */
export function PlaybackProvider({ children }: { children: ReactNode }) {
  const [{ engine, controls }] = useState(createPlayback)
  useGestureDetection(engine)
  useReclaimFocus()
  useMediaSession(engine)
  useEffect(() => manageAudioFocus(engine), [engine])
  useProgressReports(engine)
  usePlaybackReports(engine)
  useEffect(
    () => () => {
      controls.queue.close()
      engine.send({ type: 'stop' })
    },
    [engine, controls],
  )
  return (
    <EngineContext value={engine}>
      <ControlsContext value={controls}>{children}</ControlsContext>
    </EngineContext>
  )
}

export interface PlaybackControls {
  /**
   * A choice of the listener: another song starts, the current one plays or pauses (playback-1); for `announce` see
   * playback-22. `start`, here and below: where its video begins, in seconds.
   */
  select(song: Song, options?: { announce?: boolean; start?: number }): void
  /** `load`, `prefetch`, `prepare` and `stop` are Discover's, and do nothing while a queue plays (playback-42). */
  load(song: Song, start?: number): void
  /** The song probably follows: what opening it needs is fetched. */
  prefetch(song: Song): void
  /** The song follows soon: it is opened, silent until `load` (playback-25). */
  prepare(song: Song, start?: number): void
  toggle(): void
  /** Returns whether the song was to play. */
  pause(): boolean
  /** Plays on what `pause` paused, unless it plays already. */
  resume(): void
  markInteracted(): void
  /** 0 to 100. */
  setVolume(volume: number, muted: boolean): void
  stop(): void
  /** Nothing plays or shows until the returned function is called; with `goOn`, what was to play goes on then. */
  suspend(): (shouldResume: boolean) => void
  isSuspended: ReadonlyStore<boolean>
  queue: QueueControls
}

/** The controls never change, so a component that uses only them does not render again. */
export const usePlayback = (): PlaybackControls => useRequiredContext(ControlsContext)

export const usePlaybackEngine = (): PlaybackEngine => useRequiredContext(EngineContext)

/** A selected part of playback; the component renders again only when that part changes. */
export function usePlaybackState<Part>(select: (state: Playback) => Part): Part {
  return useDeferredStore(usePlaybackEngine(), select)
}

/** A selected part of the queue, as `usePlaybackState`. */
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

function createPlayback() {
  const engine = createPlaybackEngine(
    openPlayer,
    prefetchSource,
    (name) => queue.takesPrecedence() || (name === 'welcome' && !canRateNow()) || toast(createToast(name)),
    readStoredVolume(),
  )
  const queue = createQueueControls(engine)
  return { engine, controls: createControls(engine, queue) }
}

function createControls(engine: PlaybackEngine, queue: QueueControls): PlaybackControls {
  const isSuspended = createStore<boolean>()(() => false)
  return {
    select(song, { announce = false, start = 0 } = {}) {
      if (song.id === engine.getState().song?.id) return engine.send({ type: 'toggle' })
      engine.send({ type: 'load', song, start })
      if (announce) {
        toast({ title: 'Now Playing', description: songName(song), duration: 3000 })
      }
    },
    load: (song, start = 0) =>
      queue.takesPrecedence(song, start) || engine.send({ type: 'load', song, start }),
    prefetch: (song) => queue.takesPrecedence() || engine.send({ type: 'expect', song }),
    prepare: (song, start = 0) => queue.takesPrecedence() || engine.send({ type: 'prepare', song, start }),
    toggle: () => engine.send({ type: 'toggle' }),
    pause() {
      const wasPlaying = shouldPlay(engine.getState())
      engine.send({ type: 'pause' })
      return wasPlaying
    },
    resume: () => shouldPlay(engine.getState()) || engine.send({ type: 'toggle' }),
    markInteracted: () => engine.send({ type: 'interacted' }),
    setVolume(volume, muted) {
      storeVolume({ volume, muted })
      engine.send({ type: 'volume', volume, muted })
    },
    stop: () => queue.takesPrecedence() || engine.send({ type: 'stop' }),
    suspend() {
      let wasPlaying = false
      isSuspended.setState(true, true)
      const unblock = blockPlayback(engine, undefined, () => {
        wasPlaying = true
      })
      return (shouldResume) => {
        unblock()
        isSuspended.setState(false, true)
        if (shouldResume && wasPlaying && !shouldPlay(engine.getState())) engine.send({ type: 'toggle' })
      }
    },
    isSuspended,
    queue,
  }
}

/** Whether what the welcome says is true. */
const canRateNow = () =>
  areShortcutsOn() && !isDialogOpen() && document.querySelector('[data-stage]')?.checkVisibility() === true

function createToast(name: 'no-audio' | 'welcome'): Parameters<typeof toast>[0] {
  if (name === 'no-audio')
    return {
      title: 'No Audio Available',
      description: "This song doesn't have available audio previews. You can still rate it!",
      duration: 4000,
    }
  const hasKeys = matchMedia('(hover: hover) and (pointer: fine)').matches
  return {
    title: 'Welcome!',
    description: hasKeys ? 'Use ← and → to rate' : 'Swipe the art right for banger, left for bust',
  }
}

const openPlayer: OpenPlayer<Source> = (source, slot, tell) =>
  source.kind === 'video' ? openYoutubePlayer(source, slot, tell) : openPreviewPlayer(source, slot, tell)

/** Fetches what opening this source needs first. What fails is fetched again by opening it. */
function prefetchSource(source: Source): void {
  if (source.kind === 'preview') prefetchPreview(source)
  else loadIframeApi().catch(() => {})
}

/** Reports the outcome of videos; a lost report does no harm. */
function usePlaybackReports(engine: PlaybackEngine) {
  useEffect(
    () =>
      watchOutcomes(engine, (reports) => void call(reportPlayback, { body: { reports } }).catch(() => {})),
    [engine],
  )
}

/** Reports the listener's gestures to playback: after the first one the browser allows sound (playback-5). */
function useGestureDetection(engine: PlaybackEngine) {
  useEffect(() => {
    const interact = (event: Event) => {
      // Escape is not a gesture that allows sound.
      if (event instanceof KeyboardEvent && event.key === 'Escape') return
      engine.send({ type: 'interacted' })
    }
    const gestures = ['keydown', 'pointerup', 'click'] as const
    for (const gesture of gestures) window.addEventListener(gesture, interact, true)
    return () => {
      for (const gesture of gestures) window.removeEventListener(gesture, interact, true)
    }
  }, [engine])
}

/**
 * After a click the video has the focus and gets all keys. The page takes the focus back at once, which does not undo
 * the click (screens-6), and where a browser refuses that, when the pointer enters the page again. A focus that came by
 * Tab stays in the video.
 */
function useReclaimFocus() {
  useEffect(() => {
    let hasWarned = false
    const reclaimFocus = () => {
      if (document.activeElement instanceof HTMLIFrameElement && !isFrameFocusByTab()) focusPage()
    }
    // The frame is the active element only after the event.
    const afterBlur = () => setTimeout(reclaimFocus)
    const onPointer = ({ target }: Event) => {
      const frame = document.activeElement
      if (!(frame instanceof HTMLIFrameElement) || target === frame) return
      reclaimFocus()
      if (document.activeElement !== frame || isFrameFocusByTab() || hasWarned) return
      hasWarned = true
      toast({
        title: 'The video has the keyboard focus',
        description: 'Click outside the video to use shortcuts again.',
      })
    }
    window.addEventListener('blur', afterBlur)
    document.addEventListener('pointerover', onPointer)
    return () => {
      window.removeEventListener('blur', afterBlur)
      document.removeEventListener('pointerover', onPointer)
    }
  }, [])
}

/** Reports listening progress, and announces the achievement in a response (playback-20). */
function useProgressReports(engine: PlaybackEngine) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      watchProgress(engine, (body) => {
        call(reportProgress, { body }).then(
          ({ achievement }) => {
            if (!achievement) return
            announceAchievements([achievement])
            void queryClient.invalidateQueries({ queryKey: [listAchievements.path] })
          },
          // The next report contains more.
          () => {},
        )
      }),
    [engine, queryClient],
  )
}
