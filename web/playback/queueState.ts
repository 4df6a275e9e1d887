import type { Song } from '../../contract/shapes.ts'
import { storageItem } from '../api/storageItem.ts'

/** Songs that play one after the other (playback-40). */
export interface Queue {
  /** In the order of play, each once. Those before the current one have been played. */
  songs: readonly Song[]
  /** The place of the current song in `songs`. */
  at: number
  /** `queue`: playback has its song. `waiting`: playback has another song, mostly Discover's (playback-42). */
  turn: 'queue' | 'waiting'
  /** While it waits: whether leaving Discover takes it up again, and at which second of its song. */
  goesOn: boolean
  seconds: number
  /** Songs in a row that did not sound (playback-43). */
  failures: number
}

export const emptyQueue: Queue = {
  songs: [],
  at: 0,
  turn: 'waiting',
  goesOn: false,
  seconds: 0,
  failures: 0,
}

/** The most songs that a queue begins with. */
export const MAX_QUEUE_SONGS = 20_000

export const getCurrentSong = ({ songs, at }: Queue): Song | null => songs[at] ?? null

export type QueueEvent =
  /** Another queue, from its first song. */
  | { type: 'start'; songs: readonly Song[] }
  | { type: 'next' }
  /** `seconds`: the position in the current song. */
  | { type: 'previous'; seconds: number }
  | { type: 'jump'; id: string }
  | { type: 'remove'; id: string }
  /** To the place `to` of the whole queue. */
  | { type: 'move'; id: string; to: number }
  | { type: 'clear' }
  /** `playing`: the id of the song of playback. */
  | { type: 'uncleared'; queue: Queue; playing: string | null }
  | { type: 'play-next'; song: Song }
  /** The listener chose a song elsewhere, and it plays already. */
  | { type: 'chosen'; song: Song }
  | { type: 'ended' }
  /** The current song has no sound in any way. */
  | { type: 'failed' }
  | { type: 'sounded' }
  | { type: 'discover-entered'; sounding: boolean; seconds: number }
  /** `playing`: the id of the song of playback. */
  | { type: 'discover-left'; playing: string | null }
  /** `waits`: Discover is on screen. */
  | { type: 'restored'; queue: Queue; waits: boolean }

export type QueueEffect =
  | { do: 'play' | 'show'; song: Song; from: number }
  | { do: 'rewind' }
  | { do: 'stop' }
  | { do: 'tell'; what: 'skipped' | 'stopped'; song: Song }

/** Of this tab, so that each tab has its own queue, also after a reload (playback-44). */
export const queueStorage = storageItem('queue', 'tab')

export const isQueueStored = (): boolean => queueStorage.read() !== null

/** When the listener signs out. */
export const clearStoredQueue = (): void => queueStorage.save(null)
