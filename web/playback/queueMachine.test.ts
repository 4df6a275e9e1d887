import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { makeSong } from '../../tests/makeSong.ts'
import { shuffle, stepQueue } from './queueMachine.ts'
import { emptyQueue, getCurrentSong, type Queue, type QueueEffect, type QueueEvent } from './queueState.ts'

const songs = (count: number) => Array.from({ length: count }, (_, n) => makeSong(String(n + 1)))

describe('a queue (playback-40)', () => {
  it('plays its songs one after the other, each once, and ends with the last', () => {
    const queue = begin(3)
    expect(queue.played()).toEqual(['1'])
    queue.send({ type: 'ended' })
    queue.send({ type: 'ended' })
    expect(queue.played()).toEqual(['1', '2', '3'])
    expect(queue.send({ type: 'ended' })).toEqual([])
    expect(queue.state).toMatchObject({ at: 2, turn: 'queue' })
  })

  it('has each song once, and none of an empty list', () => {
    const [queue] = stepQueue(emptyQueue, { type: 'start', songs: [...songs(2), ...songs(3)] })
    expect(ids(queue)).toEqual(['1', '2', '3'])
    expect(stepQueue(queue, { type: 'start', songs: [] })).toEqual([queue, []])
  })

  it('goes on after a song that was chosen elsewhere', () => {
    const queue = begin(3)
    expect(queue.send({ type: 'chosen', song: makeSong('9') })).toEqual([])
    expect(queue.ids()).toEqual(['1', '9', '2', '3'])
    queue.send({ type: 'ended' })
    expect(queue.played().at(-1)).toBe('2')
    queue.send({ type: 'chosen', song: makeSong('1') })
    expect(queue.state).toMatchObject({ at: 0 })
    expect(queue.ids()).toEqual(['1', '9', '2', '3'])
  })
})

describe('its controls (playback-41)', () => {
  it('next and previous; previous first goes back to the beginning of the song', () => {
    const queue = begin(2)
    queue.send({ type: 'next' })
    expect(queue.send({ type: 'next' })).toEqual([])
    expect(queue.send({ type: 'previous', seconds: 3.1 })).toEqual([{ do: 'rewind' }])
    queue.send({ type: 'previous', seconds: 3 })
    expect(queue.played()).toEqual(['1', '2', '1'])
    expect(queue.send({ type: 'previous', seconds: 0 })).toEqual([{ do: 'rewind' }])
  })

  it('jumps, but a jump to the current song, or to one that is gone, does nothing', () => {
    const queue = begin(3)
    queue.send({ type: 'jump', id: '3' })
    expect(queue.played()).toEqual(['1', '3'])
    expect(queue.send({ type: 'jump', id: '3' })).toEqual([])
    expect(queue.send({ type: 'jump', id: '7' })).toEqual([])
  })

  it('removes a song; without the current one it plays the next, without any it stops', () => {
    const queue = begin(3)
    queue.send({ type: 'jump', id: '2' })
    queue.send({ type: 'remove', id: '1' })
    expect(queue.state).toMatchObject({ at: 0 })
    queue.send({ type: 'remove', id: '2' })
    expect(queue.played()).toEqual(['1', '2', '3'])
    expect(queue.send({ type: 'remove', id: '3' })).toEqual([{ do: 'stop' }])
    expect(queue.state).toEqual(emptyQueue)
  })

  it('moves a song, while the current one stays current', () => {
    const queue = begin(4)
    queue.send({ type: 'jump', id: '2' })
    queue.send({ type: 'move', id: '4', to: 2 })
    expect(queue.ids()).toEqual(['1', '2', '4', '3'])
    queue.send({ type: 'move', id: '3', to: 0 })
    expect(queue.ids()).toEqual(['3', '1', '2', '4'])
    queue.send({ type: 'move', id: '3', to: 99 })
    expect(queue.ids()).toEqual(['1', '2', '4', '3'])
    expect(queue.current()).toBe('2')
    for (const to of [Number.NaN, 1.5]) queue.send({ type: 'move', id: '3', to })
    expect(queue.ids()).toEqual(['1', '2', '4', '3'])
  })

  it('plays a song next: it comes after the current one, wherever it was', () => {
    const queue = begin(3)
    queue.send({ type: 'play-next', song: makeSong('3') })
    expect(queue.ids()).toEqual(['1', '3', '2'])
    queue.send({ type: 'play-next', song: makeSong('8') })
    expect(queue.ids()).toEqual(['1', '8', '3', '2'])
    queue.send({ type: 'play-next', song: makeSong('1') })
    expect(queue.ids()).toEqual(['1', '8', '3', '2'])
  })

  it('is cleared, while the song plays on, and comes back as it was', () => {
    const queue = begin(2)
    const before = queue.state
    expect(queue.send({ type: 'clear' })).toEqual([])
    expect(queue.state).toEqual(emptyQueue)
    expect(queue.send({ type: 'undo-clear', queue: before, playingId: '1' })).toEqual([])
    expect(queue.state).toEqual(before)
    queue.send({ type: 'clear' })
    queue.send({ type: 'undo-clear', queue: before, playingId: 'of Discover' })
    expect(queue.state).toEqual({ ...before, turn: 'waiting' })
    // Another one that was begun meanwhile stays.
    queue.send({ type: 'start', songs: [makeSong('9')] })
    queue.send({ type: 'undo-clear', queue: before, playingId: '9' })
    expect(queue.ids()).toEqual(['9'])
  })
})

describe('beside Discover (playback-42)', () => {
  it('waits, and goes on where it was when Discover is left', () => {
    const queue = begin(2)
    expect(queue.send({ type: 'discover-entered', isPlaying: true, seconds: 17 })).toEqual([])
    expect(queue.state.turn).toBe('waiting')
    expect(queue.send({ type: 'discover-left', playingId: 'of Discover' })).toEqual([
      { do: 'play', song: makeSong('1'), from: 17 },
    ])
    expect(queue.state.turn).toBe('queue')
  })

  it('that was paused stays so: Discover goes on, and next takes the queue up', () => {
    const queue = begin(2)
    queue.send({ type: 'discover-entered', isPlaying: false, seconds: 17 })
    expect(queue.send({ type: 'discover-left', playingId: 'of Discover' })).toEqual([])
    expect(queue.state.turn).toBe('waiting')
    expect(queue.send({ type: 'next' })).toEqual([{ do: 'play', song: makeSong('1'), from: 17 }])
  })

  it('goes on where it was when its current song is chosen from the list', () => {
    const queue = begin(2)
    queue.send({ type: 'discover-entered', isPlaying: false, seconds: 17 })
    expect(queue.send({ type: 'jump', id: '1' })).toEqual([{ do: 'play', song: makeSong('1'), from: 17 }])
  })

  it('that was paused has the turn again where Discover has played nothing', () => {
    const queue = begin(2)
    queue.send({ type: 'discover-entered', isPlaying: false, seconds: 17 })
    expect(queue.send({ type: 'discover-left', playingId: '1' })).toEqual([])
    expect(queue.state.turn).toBe('queue')
  })

  it('plays a song next that is added while it waits', () => {
    const queue = begin(2)
    queue.send({ type: 'discover-entered', isPlaying: false, seconds: 17 })
    queue.send({ type: 'play-next', song: makeSong('9') })
    expect(queue.send({ type: 'next' })).toEqual([{ do: 'play', song: makeSong('9'), from: 0 }])
    expect(queue.ids()).toEqual(['9', '1', '2'])
  })
})

describe('songs without sound (playback-43)', () => {
  it('are skipped with a word', () => {
    const queue = begin(3)
    expect(queue.send({ type: 'failed' })).toEqual([
      { do: 'play', song: makeSong('2'), from: 0 },
      { do: 'toast', toast: 'skipped', song: makeSong('1') },
    ])
  })

  it('five in a row stop the queue at the first of them, from which one press tries again', () => {
    const queue = begin(20)
    queue.send({ type: 'jump', id: '3' })
    for (let n = 0; n < 4; n++) queue.send({ type: 'failed' })
    expect(queue.current()).toBe('7')
    expect(queue.send({ type: 'failed' })).toEqual([
      { do: 'show', song: makeSong('3'), from: 0 },
      { do: 'toast', toast: 'stopped', song: makeSong('3') },
    ])
    expect(queue.state).toMatchObject({ at: 2, failures: 0 })
  })

  it('are counted anew after one that sounds, and after a choice of the listener', () => {
    const queue = begin(20)
    for (let n = 0; n < 4; n++) queue.send({ type: 'failed' })
    queue.send({ type: 'advanced' })
    for (let n = 0; n < 4; n++) queue.send({ type: 'failed' })
    queue.send({ type: 'next' })
    expect(queue.send({ type: 'failed' })[0]).toMatchObject({ do: 'play' })
  })

  it('stop a short queue of which none sounds; the last of others is only shown', () => {
    const short = begin(2)
    short.send({ type: 'failed' })
    expect(short.send({ type: 'failed' })[1]).toMatchObject({ do: 'toast', toast: 'stopped' })
    const other = begin(2)
    other.send({ type: 'ended' })
    expect(other.send({ type: 'failed' })).toEqual([
      { do: 'show', song: makeSong('2'), from: 0 },
      { do: 'toast', toast: 'skipped', song: makeSong('2') },
    ])
  })
})

test('playback-44: after a reload it goes on where it was, and waits while Discover is on screen', () => {
  const queue: Queue = {
    ...emptyQueue,
    songs: songs(3),
    at: 1,
    turn: 'queue',
    shouldResume: true,
    seconds: 40,
  }
  const restored = (change: Partial<Queue>, waits = false) =>
    stepQueue(emptyQueue, { type: 'restored', queue: { ...queue, ...change }, shouldWait: waits })
  expect(restored({})[1]).toEqual([{ do: 'play', song: makeSong('2'), from: 40 }])
  expect(restored({ shouldResume: false })[1]).toEqual([{ do: 'show', song: makeSong('2'), from: 40 }])
  expect(restored({}, true)).toEqual([{ ...queue, turn: 'waiting' }, []])
  expect(restored({ turn: 'waiting', shouldResume: false })[1]).toEqual([])
  expect(restored({ songs: [] })).toEqual([emptyQueue, []])
})

test('playback-40: shuffle has each song once, in any order', () => {
  fc.assert(
    fc.property(
      fc.nat(200),
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true })),
      (size, draws) => {
        const mixed = shuffle(songs(size), () => draws.next().value)
        expect(mixed.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(
          Array.from({ length: size }, (_, n) => n + 1),
        )
      },
    ),
  )
  const firsts = new Set(Array.from({ length: 200 }, () => shuffle(songs(4), Math.random)[0]?.id))
  expect(firsts.size).toBe(4)
})

const anyId = fc.integer({ min: 1, max: 12 }).map(String)
const anySong = anyId.map((id) => makeSong(id))
const anyEvent: fc.Arbitrary<QueueEvent> = fc.oneof(
  fc.record({ type: fc.constant('start' as const), songs: fc.array(anySong, { maxLength: 10 }) }),
  fc.constantFrom<QueueEvent>(
    { type: 'next' },
    { type: 'ended' },
    { type: 'failed' },
    { type: 'advanced' },
    { type: 'clear' },
  ),
  fc.record({ type: fc.constant('previous' as const), seconds: fc.nat(10) }),
  fc.record({ type: fc.constantFrom('jump' as const, 'remove' as const), id: anyId }),
  fc.record({ type: fc.constant('move' as const), id: anyId, to: fc.integer({ min: -3, max: 15 }) }),
  fc.record({ type: fc.constant('play-next' as const), song: anySong }),
  fc.record({ type: fc.constant('chosen' as const), song: anySong }),
  fc.record({
    type: fc.constant('discover-entered' as const),
    isPlaying: fc.boolean(),
    seconds: fc.nat(200),
  }),
  fc.record({ type: fc.constant('discover-left' as const), playingId: fc.option(anyId) }),
)

test('playback-41: whatever happens, each song is there once, one is current, and only a named song moves', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      let queue = emptyQueue
      for (const event of events) {
        const before = queue
        const [after, effects] = stepQueue(queue, event)
        queue = after
        expect(new Set(ids(queue)).size).toBe(queue.songs.length)
        expect(queue.songs.length === 0 ? queue : getCurrentSong(queue)).toBeTruthy()
        if (queue.songs.length === 0) expect(queue).toEqual(emptyQueue)
        for (const effect of effects)
          if (effect.do === 'play' || effect.do === 'show') expect(effect.song).toBe(getCurrentSong(queue))
        if (event.type === 'move') expect(getCurrentSong(queue)).toBe(getCurrentSong(before))
        if (event.type === 'remove' && getCurrentSong(before)?.id !== event.id)
          expect(getCurrentSong(queue)).toBe(getCurrentSong(before))
      }
    }),
    { numRuns: 500 },
  )
})

test('playback-43: untouched, a queue comes to an end, whichever songs sound; it never skips one that does', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), (sounding) => {
      const queue = begin(sounding.length)
      const heard: number[] = []
      for (let n = 0; n <= sounding.length; n++) {
        const place = queue.state.at
        if (sounding[place]) {
          heard.push(place)
          queue.send({ type: 'advanced' })
          if (queue.send({ type: 'ended' }).length === 0) break
        } else if (queue.send({ type: 'failed' })[0]?.do === 'show') break
      }
      const failing = sounding.findIndex(
        (_, n) => sounding.slice(n, n + 5).every((one) => !one) && n + 5 <= sounding.length,
      )
      const reached = failing < 0 ? sounding.length : failing
      expect(heard).toEqual(sounding.flatMap((sounds, n) => (sounds && n < reached ? n : [])))
    }),
  )
})

test('playback-40: 10,000 songs cost no time that a listener notices', () => {
  const many = songs(10_000)
  const events: QueueEvent[] = [
    { type: 'jump', id: '9999' },
    { type: 'previous', seconds: 0 },
    { type: 'move', id: '5', to: 9000 },
    { type: 'remove', id: '77' },
    { type: 'play-next', song: makeSong('20000') },
    { type: 'next' },
  ]
  // The best of five rounds, because the machine may be busy.
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now()
    let [queue] = stepQueue(emptyQueue, { type: 'start', songs: shuffle(many, Math.random) })
    for (const event of events) [queue] = stepQueue(queue, event)
    expect(queue.songs).toHaveLength(10_000)
    return performance.now() - started
  })
  // Seven operations: 50 ms for each would be a long task.
  expect(Math.min(...times)).toBeLessThan(350)
})

/** A queue of songs 1, 2 … that plays the first. */
function begin(count: number) {
  const effects: QueueEffect[] = []
  let state = emptyQueue
  const send = (event: QueueEvent) => {
    const [next, done] = stepQueue(state, event)
    state = next
    effects.push(...done)
    return done
  }
  send({ type: 'start', songs: songs(count) })
  return {
    send,
    get state() {
      return state
    },
    ids: () => ids(state),
    current: () => getCurrentSong(state)?.id,
    played: () => effects.flatMap((effect) => (effect.do === 'play' ? effect.song.id : [])),
  }
}

const ids = (queue: Queue) => queue.songs.map(({ id }) => id)
