import type { Song } from '../../contract/shapes.ts'
import type { Signal, Source } from './player.ts'

/** What is known at any time, with or without a song. */
export interface Lasting {
  /** Raised with every source; what comes from an earlier one is late and ignored. */
  token: number
  /** Whether the listener has done anything in this page load. */
  interacted: boolean
  /** The listener's own, 0 to 100, and their own mute. */
  volume: number
  muted: boolean
  /** Videos in a row that failed in every way, and until when (ms) songs begin with the preview. */
  failures: number
  previewFirstUntil: number
}

/** A song, whether its video was opened, and what errors its player gave (playback-12). */
export interface OfSong {
  song: Song
  videoTried: boolean
  errors: readonly number[]
}

/** `idle`: no song yet. `stopped`: nothing to show or to wait for. */
interface Nothing extends Lasting {
  player: 'none'
  phase: 'idle' | 'stopped'
  song: null
  source: null
}

/** Nothing of this song can be played; it can still be rated. */
interface Silent extends Lasting, OfSong {
  player: 'none'
  phase: 'silent'
  source: null
}

/** A song with something to play. */
export interface Sourced extends Lasting, OfSong {
  source: Source
  /** The video failed and nothing else plays yet (playback-4). */
  switching: boolean
}

/** Its player is not there: the next one is due soon (`loading`), or when the listener plays. */
export interface Closed extends Sourced {
  player: 'closed'
  phase: 'loading' | 'paused' | 'ended'
}

interface WithPlayer extends Sourced {
  /** `tap`: the browser lets the video play without sound only, until the listener taps (playback-5). */
  sound: 'on' | 'starting-muted' | 'unmuting' | 'tap'
}

/**
 * Its player was opened, and has said nothing yet, that it is ready, or has played. `loading` and `playing`: the
 * listener wants to hear it. `pausing`: the player has not confirmed yet. `blocked`: paused by the browser,
 * 'Click to Enable Audio' is shown.
 */
export type Open =
  | (WithPlayer & { player: 'opening' | 'ready'; phase: Standing })
  | (WithPlayer & { player: 'played'; phase: Standing | 'playing' })

type Standing = 'loading' | 'pausing' | 'paused' | 'blocked' | 'ended'

export type Playback = Nothing | Silent | Closed | Open

export type Phase = Playback['phase']

export function isOpen(state: Playback): state is Open {
  return state.player !== 'none' && state.player !== 'closed'
}

export type PlaybackEvent =
  | { type: 'load'; song: Song }
  | { type: 'toggle' }
  | { type: 'pause' }
  | { type: 'stop' }
  | { type: 'interacted' }
  | { type: 'volume'; volume: number; muted: boolean }
  /** The video's frame has left the page, and the player with it. */
  | { type: 'frame-gone' }
  | { type: 'signal'; token: number; signal: Signal }
  | { type: 'timer'; token: number; timer: Timer }

export type Timer =
  | 'open'
  | 'retry-play'
  | 'retry-pause'
  | 'give-up-pause'
  | 'timeout'
  | 'stalled'
  | 'unmute'
  | 'unmuted'
  | 'hint-over'
  | 'switched'

export type Effect =
  | { do: 'open'; token: number; source: Source }
  | { do: 'close' }
  | { do: 'play' }
  | { do: 'pause' }
  | { do: 'mute' }
  | { do: 'unmute' }
  | { do: 'volume'; volume: number }
  | { do: 'wait'; ms: number; token: number; timer: Timer }
  | { do: 'toast'; toast: 'no-audio' | 'welcome' }

export const silence: Playback = {
  player: 'none',
  phase: 'idle',
  song: null,
  source: null,
  token: 0,
  interacted: false,
  volume: 80,
  muted: false,
  failures: 0,
  previewFirstUntil: 0,
}
