import { emptyQueue, getCurrentSong, MAX_QUEUE_SONGS, type Queue, queueStorage } from './queueState.ts'

/** Ids instead of songs, because ten thousand songs would not fit. */
export interface StoredQueue {
  ids: readonly string[]
  at: number
  turn: Queue['turn']
  goesOn: boolean
  seconds: number
}

/** `isPlaying`: then it resumes after a reload. */
export function storeQueue(queue: Queue, now: { isPlaying: boolean; seconds: number }): void {
  const { songs, at, turn } = queue
  const isActive = turn === 'queue'
  const stored: StoredQueue = {
    ids: songs.slice(0, MAX_QUEUE_SONGS).map(({ id }) => id),
    at,
    turn,
    goesOn: isActive ? now.isPlaying : queue.shouldResume,
    seconds: isActive ? now.seconds : queue.seconds,
  }
  queueStorage.save(getCurrentSong(queue) ? JSON.stringify(stored) : null)
}

/** Null when there is none, or what is stored is invalid. */
export function readStoredQueue(): StoredQueue | null {
  const stored = queueStorage.readJson()
  return isStoredQueue(stored) ? stored : null
}

function isStoredQueue(value: unknown): value is StoredQueue {
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

/** A queue of the songs that still exist. Without the current one, the next one becomes current. */
export function rebuildQueue(
  stored: StoredQueue,
  findSong: (id: string) => Queue['songs'][number] | undefined,
): Queue {
  const findSongs = (ids: readonly string[]) => ids.flatMap((id) => findSong(id) ?? [])
  const before = findSongs(stored.ids.slice(0, stored.at))
  const rest = findSongs(stored.ids.slice(stored.at))
  const songs = [...before, ...rest]
  if (songs.length === 0) return emptyQueue
  const isSame = rest[0]?.id === stored.ids[stored.at]
  return {
    ...emptyQueue,
    songs,
    at: Math.min(before.length, songs.length - 1),
    turn: stored.turn,
    shouldResume: stored.goesOn,
    seconds: isSame ? stored.seconds : 0,
  }
}
