import type { Song } from '../../contract/shapes.ts'

/** The ways to embed a video, in the order in which they are tried (playback-11). */
export type Strategy = 'full' | 'minimal' | 'no-cookie'

/** `start`: seconds. */
export type VideoSource = { kind: 'video'; videoId: string; strategy: Strategy; start: number }

/** A whole recording; `start`: seconds (playback-28). */
export type AudioSource = { kind: 'audio'; url: string; start: number }

/** `fresh`: the server must search again, because the cached preview did not play (playback-14). */
export type PreviewSource = { kind: 'preview'; song: Song; fresh: boolean }

export type Source = VideoSource | AudioSource | PreviewSource

export type MediaState = 'unstarted' | 'ended' | 'playing' | 'paused' | 'buffering' | 'cued'

/** The events of a player. */
export type Signal =
  | { type: 'ready' }
  | { type: 'state'; state: MediaState }
  /** The source cannot be played; codes are those of the video player (playback-12). */
  | { type: 'error'; code: number }
  /** The player did not load, or there is no preview. */
  | { type: 'unavailable' }
  /** The browser requires a user gesture first. */
  | { type: 'blocked' }

/** The interface of all players. Volume is 0 to 100, times are in seconds. */
export interface Player {
  play(): void
  pause(): void
  mute(): void
  unmute(): void
  setVolume(volume: number): void
  seek(seconds: number): void
  position(): number
  duration(): number
  /** Loads another source into the same player. Returns false if it needs another player. */
  reuse?(source: Source, onSignal: (signal: Signal) => void): boolean
  destroy(): void
}

/** Opens a player inside `slot`. It signals only after this has returned. */
export type OpenPlayer<S extends Source> = (
  source: S,
  slot: HTMLElement,
  onSignal: (signal: Signal) => void,
) => Player

const CHORUS_SHARE = 0.3
/** Seconds, for a song of unknown duration. */
const DEFAULT_START = 40

/** The second at which a song's chorus, its hook, probably begins (playback-62). The video player takes whole seconds. */
export function chorusStart(duration: number | null): number {
  return duration ? Math.floor(duration * CHORUS_SHARE) : DEFAULT_START
}

/**
 * The start within the video's real duration. A start in its second half was computed from another one: the video is
 * shorter than the song in the catalogue.
 */
export function fitStart(start: number, duration: number): number {
  return start <= duration / 2 ? start : chorusStart(duration)
}

/** A suggestion plays like a song at the desk, but the API does not know its id, which is no number. */
export const isInCatalogue = ({ id }: Pick<Song, 'id'>): boolean => /^\d/.test(id)
