import { createStore } from 'zustand'
import type { ReadonlyStore } from '../ui/afterPaint.ts'
import { stepPlayback } from './playbackMachine.ts'
import { initialPlayback, type Playback, type PlaybackEffect, type PlaybackEvent } from './playbackState.ts'
import type { OpenPlayer, Player, Source } from './player.ts'

export interface PlaybackEngine extends ReadonlyStore<Playback> {
  send(event: PlaybackEvent): void
  /** Seconds; 0 when nothing plays or the time is unknown. */
  position(): number
  duration(): number
  seek(seconds: number): void
  /** The element that contains players; null while it is not mounted. */
  setSlot(slot: HTMLElement | null): void
}

/** Runs the effects of `playbackMachine`: players and timers are only here. */
export function createPlaybackEngine(
  openPlayer: OpenPlayer<Source>,
  prefetchSource: (source: Source) => void,
  toast: (name: 'no-audio' | 'welcome') => void,
  initialVolume: Pick<Playback, 'volume' | 'muted'>,
): PlaybackEngine {
  const store = createStore<Playback>()(() => ({ ...initialPlayback, ...initialVolume }))
  let player: Player | null = null
  let slot: HTMLElement | null = null
  /** Opens the player of the first song once its frame is mounted. */
  let openInSlot: ((slot: HTMLElement) => void) | null = null

  function send(event: PlaybackEvent) {
    const [next, effects] = stepPlayback(store.getState(), event, Date.now())
    // Before the effects, so that the events they send see the new state.
    store.setState(next, true)
    for (const effect of effects) runEffect(effect)
  }

  function runEffect(effect: PlaybackEffect) {
    switch (effect.do) {
      case 'open':
        return open(effect.source, effect.token)
      case 'prefetch':
        return prefetchSource(effect.source)
      case 'close':
        return close()
      case 'volume':
        return player?.setVolume(effect.volume)
      case 'wait':
        setTimeout(() => send({ type: 'timer', token: effect.token, timer: effect.timer }), effect.ms)
        return
      case 'toast':
        return toast(effect.toast)
      default:
        return player?.[effect.do]()
    }
  }

  function open(source: Source, token: number) {
    const onSignal = (signal: Parameters<Parameters<typeof openPlayer>[2]>[0]) =>
      send({ type: 'signal', token, signal })
    if (player?.reuse?.(source, onSignal)) return
    close()
    if (slot) player = openPlayer(source, slot, onSignal)
    else openInSlot = (newSlot) => (player = openPlayer(source, newSlot, onSignal))
  }

  function close() {
    openInSlot = null
    player?.destroy()
    player = null
  }

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    send,
    position: () => player?.position() ?? 0,
    duration: () => player?.duration() ?? 0,
    seek: (seconds) => player?.seek(seconds),
    setSlot(next) {
      if (slot && slot !== next) send({ type: 'frame-gone' })
      slot = next
      if (!slot) return
      openInSlot?.(slot)
      openInSlot = null
    },
  }
}
