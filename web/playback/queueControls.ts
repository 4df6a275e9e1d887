import { createStore } from 'zustand'
import type { Song } from '../../contract/shapes.ts'
import type { ReadonlyStore } from '../ui/afterPaint.ts'
import { CODE_FAILURE } from '../ui/page/lazyComponent.tsx'
import { toast } from '../ui/toast.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import type { QueueEngine } from './queueEngine.ts'
import { emptyQueue, type Queue, type QueueEvent } from './queueState.ts'

/** The queue. Its code, queueEngine.ts, loads when it is first used. */
export interface QueueControls extends ReadonlyStore<Queue> {
  /** Loads the code if necessary, then runs the event. */
  send(event: QueueEvent): void
  preload(): Promise<QueueEngine>
  /** Call before Discover loads its song, and after it is left (playback-42). */
  enterDiscover(): void
  leaveDiscover(): void
  /** Pauses the queue's song on Discover while Discover has no song. */
  pauseOnDiscover(): void
  /**
   * Whether Discover may not play, because it is off screen and a queue plays or is being restored. While one is being
   * restored, `song` is deferred until it is clear that there is none.
   */
  takesPrecedence(song?: Song, start?: number): boolean
  /** Call before the stored queue is loaded. False if it was loaded before. */
  startRestore(): boolean
  restore(queue: Queue): void
  /** Call after the restore, also when there was no queue: then the deferred song plays. */
  endRestore(): void
  close(): void
}

/** The code or the songs did not load. */
export const toastQueueUnavailable = () => toast.error(`The queue ${CODE_FAILURE}`)

export function createQueueControls(playback: PlaybackEngine, isStored = true): QueueControls {
  const store = createStore<Queue>()(() => emptyQueue)
  let engine: QueueEngine | null = null
  let loadingEngine: Promise<QueueEngine> | null = null
  let isOnDiscover = false
  let isRestoring = false
  let hasStartedRestore = false
  /** The current song before the restore: the listener chose any other one since then. */
  let songBefore: Song | null = null
  /** Discover's song while a queue is being restored. */
  let deferredSong: { song: Song; start: number } | null = null

  function preload(): Promise<QueueEngine> {
    loadingEngine ??= import('./queueEngine.ts').then(
      ({ createQueueEngine }) => {
        engine = createQueueEngine(store, playback, isStored)
        return engine
      },
      (error) => {
        loadingEngine = null
        throw error
      },
    )
    return loadingEngine
  }

  /** A queue whose songs load too late, on Discover, does not start. */
  function sendToEngine(loadedEngine: QueueEngine, event: QueueEvent) {
    if (event.type !== 'start' || !isOnDiscover) loadedEngine.send(event)
  }

  function loadDeferredSong() {
    // The listener may have chosen another song meanwhile.
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
      // Synchronously if possible, because browsers allow sound only near the press.
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
      const wasReplaced = song !== null && (song.id !== songBefore?.id || !queue.shouldResume)
      engine?.send({ type: 'restored', queue, shouldWait: isOnDiscover || wasReplaced })
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
