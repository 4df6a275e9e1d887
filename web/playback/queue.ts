import type { Song } from '../../contract/shapes.ts'
import { CODE_FAILURE } from '../ui/lazyPart.tsx'
import { createStore, type Store } from '../ui/store.ts'
import { toastError } from '../ui/toast.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import type { QueueEngine } from './queueEngine.ts'
import { noQueue, type Queue, type QueueEvent } from './queueState.ts'

/** The queue, whose code loads when it is first used: see queueEngine.ts. */
export interface QueueControls extends Store<Queue> {
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
export const tellMissing = () => toastError(`The queue ${CODE_FAILURE}`)

export function createQueueControls(playback: PlaybackEngine): QueueControls {
  const store = createStore<Queue>(noQueue)
  let engine: QueueEngine | null = null
  let loading: Promise<QueueEngine> | null = null
  let isOnDiscover = false
  let isExpecting = false
  let wasExpected = false
  /** The current song when the kept queue was looked up: another one since then is the listener's choice. */
  let songBefore: Song | null = null
  /** Discover's song that had to wait for a kept queue. */
  let waiting: { song: Song; start: number } | null = null

  function preload(): Promise<QueueEngine> {
    loading ??= import('./queueEngine.ts').then(
      ({ runQueue }) => {
        engine = runQueue(store, playback)
        return engine
      },
      (error) => {
        loading = null
        throw error
      },
    )
    return loading
  }

  /** A list that arrives when the listener is on Discover again starts nothing there. */
  function sendNow(loaded: QueueEngine, event: QueueEvent) {
    if (event.type !== 'start' || !isOnDiscover) loaded.send(event)
  }

  function loadWaiting() {
    // The listener may have chosen another one meanwhile.
    const isFree = isOnDiscover || playback.state().song === null
    if (waiting && isFree && store.state().turn === 'waiting') playback.send({ type: 'load', ...waiting })
    waiting = null
  }

  return {
    state: store.state,
    subscribe: store.subscribe,
    preload,
    send(event) {
      // At once when possible, because browsers allow sound only near the press.
      if (engine) sendNow(engine, event)
      else preload().then((loaded) => sendNow(loaded, event), tellMissing)
    },
    enterDiscover() {
      isOnDiscover = true
      engine?.enterDiscover()
      loadWaiting()
    },
    leaveDiscover() {
      isOnDiscover = false
      engine?.leaveDiscover()
    },
    pauseOnDiscover: () => engine?.pauseOnDiscover(),
    takesPrecedence(song, start = 0) {
      const inFront = !isOnDiscover && (isExpecting || store.state().turn === 'queue')
      if (inFront && isExpecting && song) waiting = { song, start }
      return inFront
    },
    startRestore() {
      if (wasExpected) return false
      wasExpected = true
      isExpecting = true
      songBefore = playback.state().song
      return true
    },
    restore(queue) {
      const { song } = playback.state()
      const isTaken = song !== null && (song.id !== songBefore?.id || !queue.goesOn)
      engine?.send({ type: 'restored', queue, waits: isOnDiscover || isTaken })
    },
    endRestore() {
      isExpecting = false
      loadWaiting()
    },
    close() {
      engine?.close()
      engine = null
      loading = null
    },
  }
}
