import { createStore } from 'zustand'
import type { Song } from '../../contract/shapes.ts'
import type { ReadonlyStore } from '../ui/afterPaint.ts'
import { CODE_FAILURE } from '../ui/page/lazyComponent.tsx'
import { toast } from '../ui/toast.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import type { QueueEngine } from './queueEngine.ts'
import { emptyQueue, type Queue, type QueueEvent } from './queueState.ts'

/** The queue, whose code loads when it is first used: see queueEngine.ts. */
export interface QueueControls extends ReadonlyStore<Queue> {
  /** Runs the event, after loading the code. */
  send(event: QueueEvent): void
  preload(): Promise<QueueEngine>
  /** Before Discover takes the current song over, or after it is left (playback-42). */
  enterDiscover(): void
  leaveDiscover(): void
  /** On Discover, where nothing took the song over: it is paused. */
  pauseOnDiscover(): void
  /**
   * Off Discover its songs wait while there is a queue, or a kept one is on its way. True when `song` waits, to begin
   * at `start` seconds.
   */
  takesPrecedence(song?: Song, start?: number): boolean
  /** The kept queue is on its way; false when it has been looked up before. */
  startRestore(): boolean
  restore(queue: Queue): void
  /** It came, or there is none: then Discover's song plays. */
  endRestore(): void
  close(): void
}

/** For when the code, or the songs, did not load. */
export const toastQueueUnavailable = () => toast.error(`The queue ${CODE_FAILURE}`)

export function createQueueControls(playback: PlaybackEngine): QueueControls {
  const store = createStore<Queue>()(() => emptyQueue)
  let engine: QueueEngine | null = null
  let loadingEngine: Promise<QueueEngine> | null = null
  let isOnDiscover = false
  let isRestoring = false
  let hasStartedRestore = false
  /** The current song when the kept queue was looked up: another one since then is the listener's choice. */
  let songBefore: Song | null = null
  /** Discover's song that had to wait for a kept queue. */
  let deferredSong: { song: Song; start: number } | null = null

  function preload(): Promise<QueueEngine> {
    loadingEngine ??= import('./queueEngine.ts').then(
      ({ createQueueEngine: runQueue }) => {
        engine = runQueue(store, playback)
        return engine
      },
      (error) => {
        loadingEngine = null
        throw error
      },
    )
    return loadingEngine
  }

  /** A list that arrives when the listener is on Discover again starts nothing there. */
  function sendToEngine(loadedEngine: QueueEngine, event: QueueEvent) {
    if (event.type !== 'start' || !isOnDiscover) loadedEngine.send(event)
  }

  function loadDeferredSong() {
    // The listener may have chosen another one meanwhile.
    const canLoad = isOnDiscover || playback.getState().song === null
    if (deferredSong && canLoad && store.getState().turn === 'waiting')
      playback.send({ type: 'load', ...deferredSong })
    deferredSong = null
  }

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    preload,
    send(event) {
      // At once when possible, because browsers allow sound only near the press.
      if (engine) sendToEngine(engine, event)
      else preload().then((loadedEngine) => sendToEngine(loadedEngine, event), toastQueueUnavailable)
    },
    enterDiscover() {
      isOnDiscover = true
      engine?.enterDiscover()
      loadDeferredSong()
    },
    leaveDiscover() {
      isOnDiscover = false
      engine?.leaveDiscover()
    },
    pauseOnDiscover: () => engine?.pauseOnDiscover(),
    takesPrecedence(song, start = 0) {
      const isBlocking = !isOnDiscover && (isRestoring || store.getState().turn === 'queue')
      if (isBlocking && isRestoring && song) deferredSong = { song, start }
      return isBlocking
    },
    startRestore() {
      if (hasStartedRestore) return false
      hasStartedRestore = true
      isRestoring = true
      songBefore = playback.getState().song
      return true
    },
    restore(queue) {
      const { song } = playback.getState()
      const wasReplaced = song !== null && (song.id !== songBefore?.id || !queue.goesOn)
      engine?.send({ type: 'restored', queue, waits: isOnDiscover || wasReplaced })
    },
    endRestore() {
      isRestoring = false
      loadDeferredSong()
    },
    close() {
      engine?.close()
      engine = null
      loadingEngine = null
    },
  }
}
