import type { Song, WholeAudio } from '../../contract/shapes.ts'
import type { Signal, Source } from './player.ts'

/** What every state has, with or without a song. */
export interface SessionState {
  /** Incremented for every source: signals and timers of an earlier one are ignored. */
  token: number
  /** Whether the listener has made a gesture on this page, after which the browser allows sound (playback-5). */
  hasGesture: boolean
  /** The listener's volume, 0 to 100, and mute. */
  volume: number
  muted: boolean
  /** Consecutive videos that failed in every embed, and until when (ms) songs start with the preview. */
  failures: number
  previewFirstUntil: number
}

/** The current song. `errors` are those of its video's player (playback-12). */
export interface SongState {
  song: Song
  /** The second at which its video begins (playback-62). */
  start: number
  /** Opened before it is on screen, and silent until then (playback-25). */
  isPrepared: boolean
  videoTried: boolean
  errors: readonly number[]
}

/** `idle`: no song yet. `stopped`: no song any more. */
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

/** Without a player: one opens after a delay (`loading`) or when the listener presses play. */
export interface PlayerClosed extends WithSource {
  player: 'closed'
  phase: 'loading' | 'paused' | 'ended'
}

interface WithPlayer extends WithSource {
  /** `tap`: the browser plays the video only muted, until the listener taps (playback-5). */
  sound: 'on' | 'starting-muted' | 'unmuting' | 'tap'
}

/**
 * With a player that is opening, is ready, or has played. `pausing`: it has not confirmed the pause. `blocked`: the
 * browser paused it, and 'Click to Enable Audio' shows.
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
  /** `start`: the second at which its video begins. */
  | { type: 'load'; song: Song; start?: number }
  /** The song becomes current, paused and without a player. */
  | { type: 'show'; song: Song }
  /** The current song is no longer covered. */
  | { type: 'uncover'; song: Song }
  /** The song is probably next: what opening it needs is fetched. */
  | { type: 'prefetch'; song: Song }
  /** The song is next: it is opened. */
  | { type: 'prepare'; song: Song; start?: number }
  | { type: 'toggle' }
  | { type: 'pause' }
  | { type: 'stop' }
  | { type: 'gesture' }
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
  | { do: 'prefetch'; source: Source }
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
  hasGesture: false,
  volume: 80,
  muted: false,
  failures: 0,
  previewFirstUntil: 0,
}

/** Whether the song can be played and paused (playback-3). */
export function canToggle({ phase, player }: Playback): boolean {
  return phase !== 'loading' || player === 'ready' || player === 'played'
}

/** How the listener must enable the sound: `tap` while it plays muted, `click` after the browser blocked it. */
export function getSoundPrompt(state: Playback): 'tap' | 'click' | null {
  if (state.phase === 'blocked') return 'click'
  return isPlayerOpen(state) && state.sound === 'tap' ? 'tap' : null
}

/** The phase of this song; null when another one is current. */
export function getSongPhase({ song, phase }: Playback, songId: string | undefined): Phase | null {
  return song && song.id === songId ? phase : null
}

/** Whether the current song has a video on the page. A song that is only shown has none yet. */
export function showsVideo({ source, player, phase }: Playback): boolean {
  return source?.kind === 'video' && (player !== 'closed' || phase === 'loading')
}

/** Whether the current song is not on screen yet, so that its video must not show before its title. */
export function isPrepared(state: Playback): boolean {
  return 'isPrepared' in state && state.isPrepared
}

/** The phase of this song for its button, which shows 'Play' in every phase that waits for a press. */
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

/** The whole recording of this song, while it plays and its licence shows (playback-29). */
export function getCreditedAudio({ song, source }: Playback, songId: string | undefined): WholeAudio | null {
  return source?.kind === 'audio' && song && song.id === songId ? song.audio : null
}

/** Whether this song's preview has ended (playback-61). */
export function hasPreviewEnded({ song, phase, source }: Playback, songId: string | undefined): boolean {
  return phase === 'ended' && source?.kind === 'preview' && song.id === songId
}

/** Whether the current song plays, or will once it has loaded. */
export function shouldPlay(
  state: Playback,
): state is (PlayerOpen | PlayerClosed) & { phase: 'loading' | 'playing' } {
  return state.phase === 'loading' || state.phase === 'playing'
}
