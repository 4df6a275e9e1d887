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
