import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Song } from '../../contract/shapes.ts'
import { toast } from '../ui/toast.ts'
import { recallLoudness, rememberLoudness } from './loudness.ts'
import { openPlayer } from './openPlayer.ts'
import { createPlaybackEngine, type PlaybackEngine } from './playbackEngine.ts'
import type { Phase, Playback } from './playbackState.ts'
import { useFocusBack } from './useFocusBack.ts'
import { useInteraction } from './useInteraction.ts'
import { useMediaSession } from './useMediaSession.ts'
import { usePlaybackReports } from './usePlaybackReports.ts'
import { useProgressReports } from './useProgressReports.ts'

/** One playback for all that is inside; the video itself stands in `VideoFrame`. */
export function PlaybackProvider({ children }: { children: ReactNode }) {
  const [engine] = useState(() =>
    createPlaybackEngine(openPlayer, (name) => toast(toasts[name]), recallLoudness()),
  )
  useInteraction(engine)
  useFocusBack()
  useMediaSession(engine)
  useProgressReports(engine)
  usePlaybackReports(engine)
  useEffect(() => () => engine.send({ type: 'stop' }), [engine])
  return <EngineContext value={engine}>{children}</EngineContext>
}

export interface PlaybackControls {
  song: Song | null
  state: Phase
  /** `stop` was called: nothing to show or to wait for. */
  stopped: boolean
  /** Where the sound comes from, once a player of it is open. */
  source: 'video' | 'preview' | null
  /** There is a control to press: the player has said that it is ready (playback-3). */
  canToggle: boolean
  /** The video failed and the preview does not play yet. */
  switching: boolean
  /** The browser blocked the sound just now. */
  hint: boolean
  /** It plays, but without sound until the listener taps. */
  needsTap: boolean
  volume: number
  muted: boolean
  /** Chosen by hand: another song starts, the current one plays or pauses (playback-1); see playback-22 for `announce`. */
  select(song: Song, options?: { announce?: boolean }): void
  load(song: Song): void
  toggle(): void
  pause(): void
  markInteracted(): void
  /** 0 to 100. */
  setLoudness(volume: number, muted: boolean): void
  stop(): void
}

export function usePlayback(): PlaybackControls {
  const engine = usePlaybackEngine()
  const state = useSyncExternalStore(engine.subscribe, engine.state)
  // The commands stay the same from song to song, so that effects may depend on them.
  const controls = useMemo(() => commands(engine), [engine])
  return useMemo(() => ({ ...show(state), ...controls }), [state, controls])
}

export function usePlaybackEngine(): PlaybackEngine {
  const engine = useContext(EngineContext)
  if (!engine) throw new Error('Playback is used outside of PlaybackProvider')
  return engine
}

const EngineContext = createContext<PlaybackEngine | null>(null)

function show(state: Playback) {
  return {
    song: state.song,
    state: state.phase,
    stopped: state.stopped,
    source: state.opened ? (state.source?.kind ?? null) : null,
    canToggle: state.phase !== 'loading' || state.ready,
    switching: state.switching,
    hint: state.hint,
    needsTap: state.sound === 'tap',
    volume: state.volume,
    muted: state.muted,
  }
}

function commands(engine: PlaybackEngine) {
  return {
    select(song: Song, { announce = false } = {}) {
      if (song.id === engine.state().song?.id) return engine.send({ type: 'toggle' })
      engine.send({ type: 'load', song })
      if (announce) {
        toast({ title: 'Now Playing', description: `${song.title} by ${song.artist}`, duration: 3000 })
      }
    },
    load: (song: Song) => engine.send({ type: 'load', song }),
    toggle: () => engine.send({ type: 'toggle' }),
    pause: () => engine.send({ type: 'pause' }),
    markInteracted: () => engine.send({ type: 'interacted' }),
    setLoudness(volume: number, muted: boolean) {
      rememberLoudness({ volume, muted })
      engine.send({ type: 'volume', volume, muted })
    },
    stop: () => engine.send({ type: 'stop' }),
  }
}

const toasts = {
  'no-audio': {
    title: 'No Audio Available',
    description: "This song doesn't have available audio previews. You can still rate it!",
    duration: 4000,
  },
  welcome: { title: 'Welcome!', description: 'Use ← and → to rate' },
} satisfies Record<string, Parameters<typeof toast>[0]>
