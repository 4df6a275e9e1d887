import type { Song } from '../../contract/shapes.ts'
import type { Signal, Source } from './player.ts'

/** Fields of every state, with or without a song. */
export interface SessionState {
  /** Incremented for every source; events of an earlier one are ignored. */
  token: number
  /** Whether the listener has made a gesture on this page. */
  interacted: boolean
  /** The listener's volume, 0 to 100, and mute. */
  volume: number
  muted: boolean
  /** The number of consecutive videos that failed completely, and until when (ms) songs start with the preview. */
  failures: number
  previewFirstUntil: number
}

/** A song, whether its video was opened, and the errors of its player (playback-12). */
export interface SongState {
  song: Song
  /** Where its video begins, in seconds (playback-62). */
  start: number
  /** Opened before it is on screen: silent until it is loaded (playback-25). */
  isPrepared: boolean
  videoTried: boolean
  errors: readonly number[]
}

/** `idle`: no song yet. `stopped`: nothing is shown or pending. */
interface NoSong extends SessionState {
  player: 'none'
  phase: 'idle' | 'stopped'
  song: null
  source: null
}

/** The song has no playable source; it can still be rated. */
interface Silent extends SessionState, SongState {
  player: 'none'
  phase: 'silent'
  source: null
}

/** A song with a playable source. */
export interface WithSource extends SessionState, SongState {
  source: Source
  /** The video failed and nothing else plays yet (playback-4). */
  switching: boolean
}

/** Without a player: the next one opens soon (`loading`), or when the listener presses play. */
export interface PlayerClosed extends WithSource {
  player: 'closed'
  phase: 'loading' | 'paused' | 'ended'
}

interface WithPlayer extends WithSource {
  /** `tap`: the browser plays the video only muted, until the listener taps (playback-5). */
  sound: 'on' | 'starting-muted' | 'unmuting' | 'tap'
}

/**
 * The player was opened, and is not ready yet, is ready, or has played. `loading` and `playing`: the listener wants
 * it to play. `pausing`: the player has not confirmed the pause. `blocked`: paused by the browser, 'Click to Enable
 * Audio' shows.
 */
export type PlayerOpen =
  | (WithPlayer & { player: 'opening' | 'ready'; phase: OpenPhase })
  | (WithPlayer & { player: 'played'; phase: OpenPhase | 'playing' })

type OpenPhase = 'loading' | 'pausing' | 'paused' | 'blocked' | 'ended'

export type Playback = NoSong | Silent | PlayerClosed | PlayerOpen

export type Phase = Playback['phase']

export function isPlayerOpen(state: Playback): state is PlayerOpen {
  return state.player !== 'none' && state.player !== 'closed'
}

export type PlaybackEvent =
  /** `start`: where its video begins, in seconds; 0 without. */
  | { type: 'load'; song: Song; start?: number }
  /** The song becomes current, paused and not opened yet. */
  | { type: 'show'; song: Song }
  /** This song is probably next, so what opening it needs is fetched. */
  | { type: 'expect'; song: Song }
  /** This song is next, so it is opened. */
  | { type: 'prepare'; song: Song; start?: number }
  | { type: 'toggle' }
  | { type: 'pause' }
  | { type: 'stop' }
  | { type: 'interacted' }
  | { type: 'volume'; volume: number; muted: boolean }
  /** The video's frame was removed from the page, and the player with it. */
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

export type PlaybackEffect =
  | { do: 'open'; token: number; source: Source }
  | { do: 'fetch'; source: Source }
  | { do: 'close' }
  | { do: 'play' }
  | { do: 'pause' }
  | { do: 'mute' }
  | { do: 'unmute' }
  | { do: 'volume'; volume: number }
  | { do: 'wait'; ms: number; token: number; timer: Timer }
  | { do: 'toast'; toast: 'no-audio' | 'welcome' }

export const initialPlayback: Playback = {
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

/** Whether the song can be controlled: the player is ready (playback-3). */
export function canToggle({ phase, player }: Playback): boolean {
  return phase !== 'loading' || player === 'ready' || player === 'played'
}

/** What the listener must press for sound: `tap` while it plays muted, `click` when the browser just blocked it. */
export function getSoundPrompt(state: Playback): 'tap' | 'click' | null {
  if (state.phase === 'blocked') return 'click'
  return isPlayerOpen(state) && state.sound === 'tap' ? 'tap' : null
}

/** The state of this song; null when another one is current. */
export function getSongPhase({ song, phase }: Playback, songId: string | undefined): Phase | null {
  return song && song.id === songId ? phase : null
}

/** Whether the current song plays, or is about to play, as a video. One that is only shown has no box yet. */
export function showsVideo({ source, player, phase }: Playback): boolean {
  return source?.kind === 'video' && (player !== 'closed' || phase === 'loading')
}

/** Whether the current song is opened but not on screen yet: its video must not show before its title. */
export function isPrepared(state: Playback): boolean {
  return 'isPrepared' in state && state.isPrepared
}

/** The same for its button, which shows 'Play' in every phase that waits for a press. */
export function getShownPhase(
  state: Playback,
  songId: string | undefined,
): 'loading' | 'playing' | 'silent' | 'paused' | null {
  const phase = getSongPhase(state, songId)
  return phase === null || phase === 'loading' || phase === 'playing' || phase === 'silent' ? phase : 'paused'
}

/** The video failed and nothing else plays yet (playback-14). */
export function isSwitching(state: Playback): boolean {
  return 'switching' in state && state.switching
}

/** Whether this song's preview has been heard to its end (playback-61). */
export function hasPreviewEnded({ song, phase, source }: Playback, songId: string | undefined): boolean {
  return phase === 'ended' && source?.kind === 'preview' && song.id === songId
}

/** Whether something plays, or is about to. */
export const isSounding = (phase: Phase): boolean => phase === 'playing' || phase === 'loading'
