import type { Song } from '../../contract/shapes.ts'

/** How a video is embedded, in the order in which they are tried (playback-11). */
export type Strategy = 'full' | 'minimal' | 'no-cookie'

export type VideoSource = { kind: 'video'; videoId: string; strategy: Strategy }

/** `fresh`: the preview that was known did not play, so the server is to look again (playback-14). */
export type PreviewSource = { kind: 'preview'; song: Song; fresh: boolean }

export type Source = VideoSource | PreviewSource

export type MediaState = 'unstarted' | 'ended' | 'playing' | 'paused' | 'buffering' | 'cued'

/** What a player tells. */
export type Signal =
  | { type: 'ready' }
  | { type: 'state'; state: MediaState }
  /** It cannot play this; the codes are those of the video player (playback-12). */
  | { type: 'error'; code: number }
  /** There is nothing to play here: the player did not load, or no preview exists. */
  | { type: 'unavailable' }
  /** The browser wants a gesture of the listener first. */
  | { type: 'blocked' }

/** All that playback may do with whatever makes the sound. Volume is 0 to 100, times are seconds. */
export interface Player {
  play(): void
  pause(): void
  mute(): void
  unmute(): void
  setVolume(volume: number): void
  position(): number
  duration(): number
  /** Goes on with another source in the same player. False: it cannot, open another player. */
  reuse?(source: Source, tell: (signal: Signal) => void): boolean
  destroy(): void
}

/** Opens a player inside `slot`. Signals never come before this has returned. */
export type OpenPlayer<S extends Source> = (
  source: S,
  slot: HTMLElement,
  tell: (signal: Signal) => void,
) => Player
