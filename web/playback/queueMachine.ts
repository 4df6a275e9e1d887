import type { Song } from '../../contract/shapes.ts'
import {
  emptyQueue,
  getCurrentSong,
  MAX_QUEUE_SONGS,
  type Queue,
  type QueueEffect,
  type QueueEvent,
} from './queueState.ts'

/** Seconds after which 'previous' rewinds the song instead of going to the one before. */
const REWIND_AFTER = 3

/** After so many silent songs in a row nothing can play, such as without a connection (playback-43). */
const MAX_CONSECUTIVE_FAILURES = 5

type Step = [Queue, QueueEffect[]]

/** Pure: the next queue after an event, and the effects to run. An impossible event changes nothing. */
export function stepQueue(queue: Queue, event: QueueEvent): Step {
  switch (event.type) {
    case 'start':
      return start(queue, event.songs)
    case 'next':
      return queue.turn === 'waiting' ? resume(queue) : playAt(queue, queue.at + 1)
    case 'previous':
      if (queue.turn === 'waiting') return resume(queue)
      return event.seconds > REWIND_AFTER || queue.at === 0
        ? [queue, getCurrentSong(queue) ? [{ do: 'rewind' }] : []]
        : playAt(queue, queue.at - 1)
    case 'jump': {
      const to = indexOfSong(queue, event.id)
      if (to !== queue.at) return playAt(queue, to)
      return queue.turn === 'queue' ? [queue, []] : resume(queue)
    }
    case 'remove':
      return remove(queue, indexOfSong(queue, event.id))
    case 'move':
      return [move(queue, indexOfSong(queue, event.id), event.to), []]
    case 'clear':
      return [emptyQueue, []]
    case 'undo-clear': {
      if (queue.songs.length > 0) return [queue, []]
      const isPlaying = getCurrentSong(event.queue)?.id === event.playingId
      return [{ ...event.queue, turn: isPlaying ? 'queue' : 'waiting', shouldResume: false }, []]
    }
    case 'play-next':
      return [playNext(queue, event.song), []]
    case 'chosen':
      return [queue.turn === 'queue' ? selectSong(queue, event.song) : queue, []]
    case 'ended':
      return playAt(queue, queue.at + 1)
    case 'failed':
      return fail(queue)
    case 'advanced':
      return [queue.failures === 0 ? queue : { ...queue, failures: 0 }, []]
    case 'discover-entered':
      if (queue.turn === 'waiting') return [queue, []]
      return [{ ...queue, turn: 'waiting', shouldResume: event.isPlaying, seconds: event.seconds }, []]
    case 'discover-left':
      if (queue.turn === 'queue') return [queue, []]
      if (queue.shouldResume) return resume(queue)
      // It was paused before Discover, which has played nothing.
      return getCurrentSong(queue)?.id === event.playingId ? [{ ...queue, turn: 'queue' }, []] : [queue, []]
    case 'restored':
      return restore(event.queue, event.shouldWait)
  }
}

/** The songs in random order, each once. `random` as Math.random. */
export function shuffle(songs: readonly Song[], random: () => number): Song[] {
  const shuffled = [...songs]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [shuffled[last], shuffled[other]]
    if (a && b) [shuffled[last], shuffled[other]] = [b, a]
  }
  return shuffled
}

function start(queue: Queue, songs: readonly Song[]): Step {
  const unique = uniqueSongs(songs)
  return unique.length === 0 ? [queue, []] : playAt({ ...emptyQueue, songs: unique }, 0)
}

function playAt(queue: Queue, at: number): Step {
  const song = queue.songs[at]
  if (!song) return [queue, []]
  const next: Queue = { ...queue, at, turn: 'queue', shouldResume: false, seconds: 0 }
  // A choice of the listener resets the count; `fail`, which chooses by itself, restores it.
  return [{ ...next, failures: 0 }, [{ do: 'play', song, from: 0 }]]
}

/** Plays the current song from where it was interrupted. */
function resume(queue: Queue): Step {
  const song = getCurrentSong(queue)
  if (!song) return [queue, []]
  return [
    { ...queue, turn: 'queue', shouldResume: false, seconds: 0, failures: 0 },
    [{ do: 'play', song, from: queue.seconds }],
  ]
}

function remove(queue: Queue, index: number): Step {
  const { songs, at, turn } = queue
  if (index < 0) return [queue, []]
  const remaining = songs.toSpliced(index, 1)
  if (remaining.length === 0) return [emptyQueue, turn === 'queue' ? [{ do: 'stop' }] : []]
  if (index !== at) return [{ ...queue, songs: remaining, at: index < at ? at - 1 : at }, []]
  const shortened: Queue = { ...queue, songs: remaining, at: Math.min(at, remaining.length - 1), seconds: 0 }
  return turn === 'queue' ? playAt(shortened, shortened.at) : [shortened, []]
}

function move(queue: Queue, from: number, to: number): Queue {
  const { songs, at } = queue
  const song = songs[from]
  const target = Math.max(0, Math.min(to, songs.length - 1))
  if (!song || target === from || !Number.isInteger(to)) return queue
  const moved = songs.toSpliced(from, 1).toSpliced(target, 0, song)
  const shift = from < at && target >= at ? -1 : from > at && target <= at ? 1 : 0
  return { ...queue, songs: moved, at: from === at ? target : at + shift }
}

/** Inserts the song after the current one; in a waiting queue, as the one with which it continues. */
function playNext(queue: Queue, song: Song): Queue {
  const current = getCurrentSong(queue)
  if (!current || current.id === song.id) return queue
  const [others] = remove(queue, indexOfSong(queue, song.id))
  const index = others.at + (queue.turn === 'queue' ? 1 : 0)
  const songs = others.songs.toSpliced(index, 0, song)
  return { ...others, songs, seconds: 0 }
}

/** A song that is not in the queue is inserted after the current one, and the queue continues after it. */
function selectSong(queue: Queue, song: Song): Queue {
  const index = indexOfSong(queue, song.id)
  if (index >= 0) return { ...queue, at: index, failures: 0 }
  const at = queue.at + 1
  return { ...queue, songs: queue.songs.toSpliced(at, 0, song), at, failures: 0 }
}

function fail(queue: Queue): Step {
  const song = getCurrentSong(queue)
  if (!song) return [queue, []]
  const failures = queue.failures + 1
  const isLast = queue.at === queue.songs.length - 1
  if (failures >= MAX_CONSECUTIVE_FAILURES || (isLast && failures >= queue.songs.length))
    return pauseAt(queue, Math.max(0, queue.at - failures + 1), 'stopped')
  if (isLast) return pauseAt(queue, queue.at, 'skipped')
  const [next, effects] = playAt(queue, queue.at + 1)
  return [{ ...next, failures }, [...effects, { do: 'toast', toast: 'skipped', song }]]
}

/** Pauses at a song, which one press plays. */
function pauseAt(queue: Queue, at: number, name: 'skipped' | 'stopped'): Step {
  const song = queue.songs[at]
  if (!song) return [queue, []]
  return [
    { ...queue, at, failures: 0 },
    [
      { do: 'show', song, from: 0 },
      { do: 'toast', toast: name, song },
    ],
  ]
}

function restore(queue: Queue, shouldWait: boolean): Step {
  const song = getCurrentSong(queue)
  if (!song) return [emptyQueue, []]
  if (shouldWait) return [{ ...queue, turn: 'waiting' }, []]
  if (queue.shouldResume) return resume(queue)
  return queue.turn === 'queue'
    ? [{ ...queue, seconds: 0 }, [{ do: 'show', song, from: queue.seconds }]]
    : [queue, []]
}

const indexOfSong = ({ songs }: Queue, id: string): number => songs.findIndex((song) => song.id === id)

function uniqueSongs(songs: readonly Song[]): readonly Song[] {
  const seenIds = new Set<string>()
  return songs.filter(({ id }) => !seenIds.has(id) && seenIds.add(id)).slice(0, MAX_QUEUE_SONGS)
}
