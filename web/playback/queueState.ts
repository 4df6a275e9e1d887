import type { Song } from '../../contract/shapes.ts'
import { storageItem } from '../api/storageItem.ts'

/** Songs that play one after the other (playback-40). */
export interface Queue {
  /** In the order of play, without duplicates. Those before the current one have been played. */
  songs: readonly Song[]
  /** The index of the current song in `songs`. */
  at: number
  /** `queue`: playback has its current song. `waiting`: playback has another song, mostly Discover's (playback-42). */
  turn: 'queue' | 'waiting'
  /** While it waits: whether it resumes when Discover is left, and at which second of its song. */
  shouldResume: boolean
  seconds: number
  /** Silent songs in a row (playback-43). */
  failures: number
}

export const emptyQueue: Queue = {
  songs: [],
  at: 0,
  turn: 'waiting',
  shouldResume: false,
  seconds: 0,
  failures: 0,
}

export const MAX_QUEUE_SONGS = 20_000

export const getCurrentSong = ({ songs, at }: Queue): Song | null => songs[at] ?? null

export type QueueEvent =
  /** A new queue starts with its first song. */
  | { type: 'start'; songs: readonly Song[] }
  | { type: 'next' }
  /** `seconds`: the position in the current song. */
  | { type: 'previous'; seconds: number }
  | { type: 'jump'; id: string }
  | { type: 'remove'; id: string }
  /** `to`: an index of the whole queue. */
  | { type: 'move'; id: string; to: number }
  | { type: 'clear' }
  /** `playingId`: of playback's song. */
  | { type: 'undo-clear'; queue: Queue; playingId: string | null }
  | { type: 'play-next'; song: Song }
  /** The listener chose a song elsewhere, and it plays already. */
  | { type: 'chosen'; song: Song }
  | { type: 'ended' }
  /** The current song has no playable source. */
  | { type: 'failed' }
  /** The current song advances. */
  | { type: 'advanced' }
  | { type: 'discover-entered'; isPlaying: boolean; seconds: number }
  | { type: 'discover-left'; playingId: string | null }
  /** `shouldWait`: Discover is on screen, or the listener has chosen another song. */
  | { type: 'restored'; queue: Queue; shouldWait: boolean }

export type QueueEffect =
  | { do: 'play' | 'show'; song: Song; from: number }
  | { do: 'rewind' }
  | { do: 'stop' }
  | { do: 'toast'; toast: 'skipped' | 'stopped'; song: Song }

/** Each tab has its own queue, also after a reload (playback-44). */
export const queueStorage = storageItem('queue', 'tab')

export const isQueueStored = (): boolean => queueStorage.read() !== null

/** When the listener signs out. */
export const clearStoredQueue = (): void => queueStorage.save(null)
