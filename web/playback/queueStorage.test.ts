import { afterEach, expect, test, vi } from 'vitest'
import { makeSong } from '../../tests/makeSong.ts'
import { emptyQueue, type Queue } from './queueState.ts'
import { readStoredQueue, rebuildQueue, storeQueue } from './queueStorage.ts'

const queue: Queue = {
  ...emptyQueue,
  songs: ['4', '5', '6'].map((id) => makeSong(id)),
  at: 1,
  turn: 'queue',
}
const storedQueue = { ids: ['4', '5', '6'], at: 1, turn: 'queue', goesOn: true, seconds: 12.5 } as const

afterEach(() => vi.unstubAllGlobals())

/** A storage with this queue in it. */
function stubStorage(text?: string) {
  const items = new Map(text === undefined ? [] : [['bob:queue', text]])
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  })
  return items
}

test('playback-44: a queue is kept by the ids of its songs, and is forgotten when it is empty', () => {
  const items = stubStorage()
  storeQueue(queue, { isPlaying: true, seconds: 12.5 })
  expect(readStoredQueue()).toEqual(storedQueue)
  expect(items.get('bob:queue')).not.toContain('Song')
  storeQueue(emptyQueue, { isPlaying: false, seconds: 0 })
  expect(items.size).toBe(0)
})

test('playback-44: beside Discover its own place is kept, not that of the song that plays', () => {
  stubStorage()
  storeQueue({ ...queue, turn: 'waiting', shouldResume: true, seconds: 33 }, { isPlaying: false, seconds: 2 })
  expect(readStoredQueue()).toEqual({ ...storedQueue, turn: 'waiting', seconds: 33 })
})

test.each([
  'not JSON',
  'null',
  '[]',
  '{}',
  JSON.stringify({ ...storedQueue, ids: [] }),
  JSON.stringify({ ...storedQueue, ids: ['4', 5, '6'] }),
  JSON.stringify({ ...storedQueue, ids: ['4', '5 or 1=1', '6'] }),
  JSON.stringify({ ...storedQueue, ids: Array(20_001).fill('4') }),
  JSON.stringify({ ...storedQueue, at: 3 }),
  JSON.stringify({ ...storedQueue, at: -1 }),
  JSON.stringify({ ...storedQueue, at: 0.5 }),
  JSON.stringify({ ...storedQueue, turn: 'mine' }),
  JSON.stringify({ ...storedQueue, goesOn: 'yes' }),
  JSON.stringify({ ...storedQueue, seconds: -1 }),
  JSON.stringify({ ...storedQueue, seconds: 90_000 }),
])('playback-44: what is no queue is ignored: %s', (text) => {
  stubStorage(text)
  expect(readStoredQueue()).toBeNull()
})

test('playback-44: a storage that is full or forbidden costs only the reload', () => {
  const fail = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('sessionStorage', { getItem: fail, setItem: fail, removeItem: fail })
  expect(() => storeQueue(queue, { isPlaying: true, seconds: 0 })).not.toThrow()
  expect(() => storeQueue(emptyQueue, { isPlaying: true, seconds: 0 })).not.toThrow()
  expect(readStoredQueue()).toBeNull()
})

test('playback-44: songs that are gone are left out; without the current one the next takes its place', () => {
  const without = (...gone: string[]) =>
    rebuildQueue(storedQueue, (id) => (gone.includes(id) ? undefined : makeSong(id)))
  const placeOf = ({ songs, at, seconds }: Queue) => [songs.map(({ id }) => id).join(), at, seconds]
  expect(placeOf(without())).toEqual(['4,5,6', 1, 12.5])
  expect(placeOf(without('4'))).toEqual(['5,6', 0, 12.5])
  expect(placeOf(without('5'))).toEqual(['4,6', 1, 0])
  expect(placeOf(without('5', '6'))).toEqual(['4', 0, 0])
  expect(without('4', '5', '6')).toEqual(emptyQueue)
})
