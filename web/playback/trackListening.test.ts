import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand'
import { makeSong } from '../../tests/makeSong.ts'
import { initialPlayback, type Playback } from './playbackState.ts'
import { trackListening } from './trackListening.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('discover-45: only what plays aloud is heard, for each song and from its source', () => {
  const store = createStore<Playback>()(() => initialPlayback)
  const heard = trackListening(store)
  const stop = heard.start()
  const set = (part: object) => store.setState({ ...store.getState(), ...part } as Playback, true)
  const source = { kind: 'video', videoId: 'x'.repeat(11), strategy: 'full' }
  set({ song: makeSong('1'), source, phase: 'loading', player: 'opening', sound: 'on' })
  vi.advanceTimersByTime(3000)
  expect(heard.getHeard('1')).toBeNull()
  set({ phase: 'playing', player: 'played' })
  vi.advanceTimersByTime(2000)
  set({ sound: 'starting-muted' })
  vi.advanceTimersByTime(1500)
  set({ sound: 'tap' })
  vi.advanceTimersByTime(2000)
  set({ sound: 'on', muted: true })
  vi.advanceTimersByTime(2000)
  set({ muted: false })
  vi.advanceTimersByTime(550)
  expect(heard.getHeard('1')).toEqual({ seconds: 2.6, source: 'video' })
  expect(heard.getHeard('2')).toBeNull()
  set({ phase: 'paused' })
  vi.advanceTimersByTime(2000)
  expect(heard.getHeard('1')).toEqual({ seconds: 2.6, source: 'video' })

  set({
    song: makeSong('2'),
    source: { kind: 'preview', song: makeSong('2'), fresh: false },
    phase: 'playing',
  })
  vi.advanceTimersByTime(1000)
  expect(heard.getHeard('2')).toEqual({ seconds: 1, source: 'preview' })
  expect(heard.getHeard('1'), 'when it comes again').toEqual({ seconds: 2.6, source: 'video' })

  vi.advanceTimersByTime(48 * 3_600_000)
  expect(heard.getHeard('2'), 'after a machine slept').toEqual({ seconds: 3600, source: 'preview' })
  stop()
})
