import { createStore } from 'zustand'
import { songName } from '../../contract/isolateName.ts'
import type { Song } from '../../contract/shapes.ts'
import { storageItem } from '../api/storageItem.ts'
import type { ReadonlyStore } from '../ui/afterPaint.ts'
import { isDialogOpen } from '../ui/keyboard/openDialogs.ts'
import { areShortcutsOn } from '../ui/keyboard/useHotkeys.ts'
import { toast } from '../ui/toast.ts'
import { hasKeyboard } from '../ui/useMediaQuery.ts'
import { blockPlayback } from './manageAudioFocus.ts'
import { createPlaybackEngine, type PlaybackEngine } from './playbackEngine.ts'
import { type Playback, shouldPlay } from './playbackState.ts'
import type { Source } from './player.ts'
import { openPreviewPlayer, prefetchPreview, type RequestPreview } from './previewPlayer.ts'
import { createQueueControls, type QueueControls } from './queueControls.ts'
import { loadIframeApi, openYoutubePlayer } from './youtubePlayer.ts'

/**
 * The engine with its players and toasts, and the controls of the page. `requestPreview` is that of visitors, whose queue is
 * not stored.
 */
export function createPlayback(requestPreview?: RequestPreview) {
  const engine = createPlaybackEngine(
    (source, slot, onSignal) =>
      source.kind === 'video'
        ? openYoutubePlayer(source, slot, onSignal)
        : openPreviewPlayer(source, slot, onSignal, requestPreview),
    (source) => prefetchSource(source, requestPreview),
    (name) => queue.takesPrecedence() || (name === 'welcome' && !canRateNow()) || toast(createToast(name)),
    readStoredVolume(),
  )
  const queue = createQueueControls(engine, !requestPreview)
  return { engine, controls: createControls(engine, queue) }
}

export interface PlaybackControls {
  /**
   * The listener chose a song: another one starts, the current one plays or pauses (playback-1). `announce` shows a
   * toast (playback-22). `start`, here and below, is the second at which its video begins.
   */
  select(song: Song, options?: { announce?: boolean; start?: number }): void
  /** `load`, `prefetch`, `prepare` and `stop` are Discover's, and do nothing while a queue plays (playback-42). */
  load(song: Song, start?: number): void
  /** Fetches what opening the song needs, because it probably follows. */
  prefetch(song: Song): void
  /** Opens the next song, silent until `load` (playback-25). */
  prepare(song: Song, start?: number): void
  /** Replaces the current song, which was covered, by itself (discover-92). */
  uncover(song: Song): void
  toggle(): void
  /** Returns whether the song was playing, or about to. */
  pause(): boolean
  resume(): void
  /** After a press, which lets the browser allow sound (playback-5). */
  enableSound(): void
  /** `volume` is 0 to 100. */
  setVolume(volume: number, muted: boolean): void
  stop(): void
  /** Pauses and hides everything until the returned function is called, which may resume what was playing. */
  suspend(): (shouldResume: boolean) => void
  isSuspended: ReadonlyStore<boolean>
  /** Hides the video and pauses it; whatever plays is shown again (playback-10). */
  setFolded(isFolded: boolean): void
  isFolded: ReadonlyStore<boolean>
  queue: QueueControls
}

function createControls(engine: PlaybackEngine, queue: QueueControls): PlaybackControls {
  const isSuspended = createStore<boolean>()(() => false)
  const isFolded = createStore<boolean>()(() => false)
  engine.subscribe((state) => shouldPlay(state) && isFolded.setState(false, true))
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
    prefetch: (song) => queue.takesPrecedence() || engine.send({ type: 'prefetch', song }),
    prepare: (song, start = 0) => queue.takesPrecedence() || engine.send({ type: 'prepare', song, start }),
    uncover: (song) => engine.send({ type: 'uncover', song }),
    toggle: () => engine.send({ type: 'toggle' }),
    pause() {
      const wasPlaying = shouldPlay(engine.getState())
      engine.send({ type: 'pause' })
      return wasPlaying
    },
    resume: () => shouldPlay(engine.getState()) || engine.send({ type: 'toggle' }),
    enableSound: () => engine.send({ type: 'gesture' }),
    setVolume(volume, muted) {
      volumeStorage.save(JSON.stringify({ volume, muted }))
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
    setFolded(folded) {
      if (folded) engine.send({ type: 'pause' })
      isFolded.setState(folded, true)
    },
    isFolded,
    queue,
  }
}

/** Whether the keys and swipes of the welcome toast rate a song now. */
const canRateNow = () =>
  areShortcutsOn() && !isDialogOpen() && document.querySelector('[data-stage]')?.checkVisibility() === true

function createToast(name: 'no-audio' | 'welcome'): Parameters<typeof toast>[0] {
  if (name === 'no-audio')
    return {
      title: 'No Audio Available',
      description: "This song doesn't have available audio previews. You can still rate it!",
      duration: 4000,
    }
  return {
    title: 'Welcome!',
    description: hasKeyboard() ? 'Use ← and → to rate' : 'Swipe the art right for banger, left for bust',
  }
}

/** Fetches what opening this source needs first. After a failure, opening it fetches again. */
function prefetchSource(source: Source, request?: RequestPreview): void {
  if (source.kind === 'preview') prefetchPreview(source, request)
  if (source.kind === 'video') loadIframeApi().catch(() => {})
}

const volumeStorage = storageItem('loudness')

type Volume = Pick<Playback, 'volume' | 'muted'>

/** The volume until the listener chooses one (playback-6). */
const DEFAULT_VOLUME: Volume = { volume: 80, muted: false }

function readStoredVolume(): Volume {
  const value = volumeStorage.readJson()
  return isVolume(value) ? { volume: value.volume, muted: value.muted } : DEFAULT_VOLUME
}

function isVolume(value: unknown): value is Volume {
  if (typeof value !== 'object' || value === null || !('volume' in value) || !('muted' in value)) return false
  const { volume, muted } = value
  return typeof volume === 'number' && volume >= 0 && volume <= 100 && typeof muted === 'boolean'
}
