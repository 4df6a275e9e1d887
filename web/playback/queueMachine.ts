import type { Song } from '../../contract/shapes.ts'
import {
  currentOf,
  MAX_QUEUE_SONGS,
  noQueue,
  type Queue,
  type QueueEffect,
  type QueueEvent,
} from './queueState.ts'

/** Seconds after which 'previous' goes to the beginning of the song instead of to the song before. */
const REWIND_AFTER = 3

/** So many songs in a row without sound mean that nothing plays, such as without a connection (playback-43). */
const MAX_CONSECUTIVE_FAILURES = 5

type Step = [Queue, QueueEffect[]]

/** Pure: the next queue after an event, and the effects to run. An event that makes no sense changes nothing. */
export function stepQueue(queue: Queue, event: QueueEvent): Step {
  switch (event.type) {
    case 'start':
      return start(queue, event.songs)
    case 'next':
      return queue.turn === 'waiting' ? takeUp(queue) : playAt(queue, queue.at + 1)
    case 'previous':
      if (queue.turn === 'waiting') return takeUp(queue)
      return event.seconds > REWIND_AFTER || queue.at === 0
        ? [queue, currentOf(queue) ? [{ do: 'rewind' }] : []]
        : playAt(queue, queue.at - 1)
    case 'jump': {
      const to = placeOf(queue, event.id)
      if (to !== queue.at) return playAt(queue, to)
      return queue.turn === 'queue' ? [queue, []] : takeUp(queue)
    }
    case 'remove':
      return remove(queue, placeOf(queue, event.id))
    case 'move':
      return [move(queue, placeOf(queue, event.id), event.to), []]
    case 'clear':
      return [noQueue, []]
    case 'uncleared': {
      if (queue.songs.length > 0) return [queue, []]
      const isPlaying = currentOf(event.queue)?.id === event.playing
      return [{ ...event.queue, turn: isPlaying ? 'queue' : 'waiting', goesOn: false }, []]
    }
    case 'play-next':
      return [playNext(queue, event.song), []]
    case 'chosen':
      return [queue.turn === 'queue' ? choose(queue, event.song) : queue, []]
    case 'ended':
      return playAt(queue, queue.at + 1)
    case 'failed':
      return fail(queue)
    case 'sounded':
      return [queue.failures === 0 ? queue : { ...queue, failures: 0 }, []]
    case 'discover-entered':
      if (queue.turn === 'waiting') return [queue, []]
      return [{ ...queue, turn: 'waiting', goesOn: event.sounding, seconds: event.seconds }, []]
    case 'discover-left':
      if (queue.turn === 'queue') return [queue, []]
      if (queue.goesOn) return takeUp(queue)
      // It was paused before Discover, and Discover has played nothing.
      return currentOf(queue)?.id === event.playing ? [{ ...queue, turn: 'queue' }, []] : [queue, []]
    case 'restored':
      return restore(event.queue, event.waits)
  }
}

/** The songs in random order, each once. `random` as Math.random. */
export function shuffle(songs: readonly Song[], random: () => number): Song[] {
  const mixed = [...songs]
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [mixed[last], mixed[other]]
    if (a && b) [mixed[last], mixed[other]] = [b, a]
  }
  return mixed
}

function start(queue: Queue, songs: readonly Song[]): Step {
  const once = eachOnce(songs)
  return once.length === 0 ? [queue, []] : playAt({ ...noQueue, songs: once }, 0)
}

function playAt(queue: Queue, at: number): Step {
  const song = queue.songs[at]
  if (!song) return [queue, []]
  const next: Queue = { ...queue, at, turn: 'queue', goesOn: false, seconds: 0 }
  // What the listener chooses begins to count anew: see `fail` for what the queue chooses.
  return [{ ...next, failures: 0 }, [{ do: 'play', song, from: 0 }]]
}

/** Where it was left. */
function takeUp(queue: Queue): Step {
  const song = currentOf(queue)
  if (!song) return [queue, []]
  return [
    { ...queue, turn: 'queue', goesOn: false, seconds: 0, failures: 0 },
    [{ do: 'play', song, from: queue.seconds }],
  ]
}

function remove(queue: Queue, place: number): Step {
  const { songs, at, turn } = queue
  if (place < 0) return [queue, []]
  const left = songs.toSpliced(place, 1)
  if (left.length === 0) return [noQueue, turn === 'queue' ? [{ do: 'stop' }] : []]
  if (place !== at) return [{ ...queue, songs: left, at: place < at ? at - 1 : at }, []]
  const without: Queue = { ...queue, songs: left, at: Math.min(at, left.length - 1), seconds: 0 }
  return turn === 'queue' ? playAt(without, without.at) : [without, []]
}

function move(queue: Queue, from: number, to: number): Queue {
  const { songs, at } = queue
  const song = songs[from]
  const target = Math.max(0, Math.min(to, songs.length - 1))
  if (!song || target === from || !Number.isInteger(to)) return queue
  const moved = songs.toSpliced(from, 1).toSpliced(target, 0, song)
  const crossed = from < at && target >= at ? -1 : from > at && target <= at ? 1 : 0
  return { ...queue, songs: moved, at: from === at ? target : at + crossed }
}

/** After the current song; where the queue waits, as the song with which it goes on. */
function playNext(queue: Queue, song: Song): Queue {
  const current = currentOf(queue)
  if (!current || current.id === song.id) return queue
  const [others] = remove(queue, placeOf(queue, song.id))
  const place = others.at + (queue.turn === 'queue' ? 1 : 0)
  const songs = others.songs.toSpliced(place, 0, song)
  return { ...others, songs, seconds: 0 }
}

/** One that is not in the queue comes to its place, so that the queue goes on after it. */
function choose(queue: Queue, song: Song): Queue {
  const place = placeOf(queue, song.id)
  if (place >= 0) return { ...queue, at: place, failures: 0 }
  const at = queue.at + 1
  return { ...queue, songs: queue.songs.toSpliced(at, 0, song), at, failures: 0 }
}

function fail(queue: Queue): Step {
  const song = currentOf(queue)
  if (!song) return [queue, []]
  const failures = queue.failures + 1
  const isLast = queue.at === queue.songs.length - 1
  if (failures >= MAX_CONSECUTIVE_FAILURES || (isLast && failures >= queue.songs.length))
    return rest(queue, Math.max(0, queue.at - failures + 1), 'stopped')
  if (isLast) return rest(queue, queue.at, 'skipped')
  const [next, effects] = playAt(queue, queue.at + 1)
  return [{ ...next, failures }, [...effects, { do: 'tell', what: 'skipped', song }]]
}

/** Paused at a place, from which one press goes on. */
function rest(queue: Queue, at: number, what: 'skipped' | 'stopped'): Step {
  const song = queue.songs[at]
  if (!song) return [queue, []]
  return [
    { ...queue, at, failures: 0 },
    [
      { do: 'show', song, from: 0 },
      { do: 'tell', what, song },
    ],
  ]
}

function restore(queue: Queue, waits: boolean): Step {
  const song = currentOf(queue)
  if (!song) return [noQueue, []]
  if (waits) return [{ ...queue, turn: 'waiting' }, []]
  if (queue.goesOn) return takeUp(queue)
  return queue.turn === 'queue'
    ? [{ ...queue, seconds: 0 }, [{ do: 'show', song, from: queue.seconds }]]
    : [queue, []]
}

const placeOf = ({ songs }: Queue, id: string): number => songs.findIndex((song) => song.id === id)

function eachOnce(songs: readonly Song[]): readonly Song[] {
  const seen = new Set<string>()
  return songs.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, MAX_QUEUE_SONGS)
}
