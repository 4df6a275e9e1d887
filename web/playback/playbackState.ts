import type { Song } from '../../contract/shapes.ts'
import type { Signal, Source } from './player.ts'

/** `silent`: nothing of this song can be played; it can still be rated. */
export type Phase = 'idle' | 'loading' | 'playing' | 'paused' | 'ended' | 'silent'

export interface Playback {
  song: Song | null
  phase: Phase
  /** It was stopped: there is nothing to show or to wait for. */
  stopped: boolean
  source: Source | null
  /** Whether the player of `source` has been asked for, and whether it has said that it is ready. */
  opened: boolean
  ready: boolean
  /** Whether this source has played at all. */
  played: boolean
  /** What the listener wants: that it plays. */
  wanted: boolean
  /** A pause was asked for and has not been confirmed. */
  pausing: boolean
  /** Raised with every source; what comes from an earlier one is late and ignored. */
  token: number
  /** The video failed and the preview does not play yet (playback-4). */
  switching: boolean
  /** 'Click to Enable Audio' is shown. */
  hint: boolean
  /** `tap`: the browser lets the video play without sound only, until the listener taps (playback-5). */
  sound: 'on' | 'starting-muted' | 'unmuting' | 'tap'
  /** Whether the listener has done anything in this page load. */
  interacted: boolean
  /** The listener's own, 0 to 100, and their own mute. */
  volume: number
  muted: boolean
  /** Whether this song's video was opened, and what errors its player gave (playback-12). */
  videoTried: boolean
  errors: readonly number[]
  /** Videos in a row that failed in every way, and until when (ms) songs begin with the preview. */
  failures: number
  previewFirstUntil: number
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
  song: null,
  phase: 'idle',
  stopped: false,
  source: null,
  opened: false,
  ready: false,
  played: false,
  wanted: false,
  pausing: false,
  token: 0,
  switching: false,
  hint: false,
  sound: 'on',
  interacted: false,
  volume: 80,
  muted: false,
  videoTried: false,
  errors: [],
  failures: 0,
  previewFirstUntil: 0,
}
