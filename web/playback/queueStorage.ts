import { storedQueue } from './keptQueue.ts'
import { currentOf, MAX_QUEUE_SONGS, noQueue, type Queue } from './queueState.ts'

/** A stored queue: its songs by id, because ten thousand songs would not fit. */
export interface StoredQueue {
  ids: readonly string[]
  at: number
  turn: Queue['turn']
  goesOn: boolean
  seconds: number
}

/** `sounding`: whether it plays, so that it goes on by itself after a reload. */
export function keepQueue(queue: Queue, now: { sounding: boolean; seconds: number }): void {
  const { songs, at, turn } = queue
  const mine = turn === 'queue'
  const kept: StoredQueue = {
    ids: songs.slice(0, MAX_QUEUE_SONGS).map(({ id }) => id),
    at,
    turn,
    goesOn: mine ? now.sounding : queue.goesOn,
    seconds: mine ? now.seconds : queue.seconds,
  }
  storedQueue.save(currentOf(queue) ? JSON.stringify(kept) : null)
}

/** Null when there is none, or when what is stored is not a queue. */
export function recallQueue(): StoredQueue | null {
  const kept = storedQueue.readJson()
  return isKept(kept) ? kept : null
}

function isKept(value: unknown): value is StoredQueue {
  if (typeof value !== 'object' || value === null) return false
  const { ids, at, turn, goesOn, seconds } = value as Partial<Record<keyof StoredQueue, unknown>>
  return (
    Array.isArray(ids) &&
    ids.length <= MAX_QUEUE_SONGS &&
    ids.every((id) => typeof id === 'string' && /^[1-9]\d{0,17}$/.test(id)) &&
    Number.isInteger(at) &&
    (at as number) >= 0 &&
    (at as number) < ids.length &&
    (turn === 'queue' || turn === 'waiting') &&
    typeof goesOn === 'boolean' &&
    typeof seconds === 'number' &&
    seconds >= 0 &&
    seconds < 86_400
  )
}

/** The queue of the songs that are still there. Where the current one is gone, the next one takes its place. */
export function rebuildQueue(
  kept: StoredQueue,
  songOf: (id: string) => Queue['songs'][number] | undefined,
): Queue {
  const present = (ids: readonly string[]) => ids.flatMap((id) => songOf(id) ?? [])
  const before = present(kept.ids.slice(0, kept.at))
  const rest = present(kept.ids.slice(kept.at))
  const songs = [...before, ...rest]
  if (songs.length === 0) return noQueue
  const isSame = rest[0]?.id === kept.ids[kept.at]
  return {
    ...noQueue,
    songs,
    at: Math.min(before.length, songs.length - 1),
    turn: kept.turn,
    goesOn: kept.goesOn,
    seconds: isSame ? kept.seconds : 0,
  }
}
