import type { Song } from '../../contract/shapes.ts'

/** The ways to embed a video, in the order in which they are tried (playback-11). */
export type Strategy = 'full' | 'minimal' | 'no-cookie'

/** `start` in seconds. */
export type VideoSource = { kind: 'video'; videoId: string; strategy: Strategy; start: number }

/** `fresh`: the known preview did not play, so the server must search again (playback-14). */
export type PreviewSource = { kind: 'preview'; song: Song; fresh: boolean }

export type Source = VideoSource | PreviewSource

export type MediaState = 'unstarted' | 'ended' | 'playing' | 'paused' | 'buffering' | 'cued'

/** The events of a player. */
export type Signal =
  | { type: 'ready' }
  | { type: 'state'; state: MediaState }
  /** It cannot play this; codes are those of the video player (playback-12). */
  | { type: 'error'; code: number }
  /** It cannot play at all: the player did not load, or there is no preview. */
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
  /** Loads another source into the same player. False: it cannot, so open another player. */
  reuse?(source: Source, onSignal: (signal: Signal) => void): boolean
  destroy(): void
}

/** Opens a player inside `slot`. Events never come before this has returned. */
export type OpenPlayer<S extends Source> = (
  source: S,
  slot: HTMLElement,
  onSignal: (signal: Signal) => void,
) => Player

/* Where the hook of a song probably is (playback-62). */

const CHORUS_SHARE = 0.3
/** Seconds; for a song of unknown length. */
const DEFAULT_START = 40

/** In whole seconds, as the video player wants it. `duration` in seconds. */
export function chorusStart(duration: number | null): number {
  return duration ? Math.floor(duration * CHORUS_SHARE) : DEFAULT_START
}

/**
 * The start in a video whose length the player tells. A start in its second half was chosen for another length: the
 * video is short, or the catalogue has a longer version.
 */
export function fitStart(start: number, duration: number): number {
  return start <= duration / 2 ? start : chorusStart(duration)
}

/** A suggestion at the desk plays like a song, but its id is no number, and no call knows it. */
export const isInCatalogue = ({ id }: Pick<Song, 'id'>): boolean => /^\d/.test(id)
