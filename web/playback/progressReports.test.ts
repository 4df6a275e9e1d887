import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand'
import type { Song } from '../../contract/shapes.ts'
import { type ProgressReport, watchProgress } from './playbackReports.ts'
import { initialPlayback, type Playback } from './playbackState.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A fake playback with the given state; its time is the fake clock's by default. */
function listen({ position, duration = 180 }: { position?: number; duration?: number } = {}) {
  const begun = Date.now()
  const sent: (ProgressReport & { at: number })[] = []
  const store = createStore<Pick<Playback, 'song' | 'phase'>>()(() => initialPlayback)
  const stop = watchProgress(
    {
      ...store,
      position: () => position ?? (Date.now() - begun) / 1000,
      duration: () => duration,
    },
    (report) => sent.push({ ...report, at: Date.now() - begun }),
  )
  return {
    sent,
    stop,
    change: (phase: Playback['phase'], id = '1') => store.setState({ phase, song: { id } as Song }),
  }
}

test('playback-19: progress is sent every 5 s while a song plays', () => {
  const { sent, change } = listen()
  change('playing')
  vi.advanceTimersByTime(16_000)
  expect(sent.map(({ at }) => at)).toEqual([5000, 10_000, 15_000])
  expect(sent[0]).toMatchObject({ songId: '1', secondsListened: 5, totalDuration: 180 })
})

test('playback-19: playing and pausing repeatedly does not send it more often', () => {
  const { sent, change } = listen()
  for (let n = 0; n < 19; n++) {
    change('playing')
    vi.advanceTimersByTime(250)
    change('paused')
    vi.advanceTimersByTime(250)
  }
  expect(sent).toHaveLength(0)
  change('playing')
  vi.advanceTimersByTime(250)
  expect(sent).toHaveLength(1)
  change('paused')
  change('playing')
  vi.advanceTimersByTime(4900)
  expect(sent).toHaveLength(1)
})

test.each([
  { position: 0 },
  { position: 0.0004 },
  { position: 86_401 },
  { duration: 0 },
  { duration: Number.NaN },
])('playback-19: it is not sent with %o', (times) => {
  const { sent, change } = listen(times)
  change('playing')
  vi.advanceTimersByTime(20_000)
  expect(sent).toEqual([])
})

test('playback-19: it is not sent while the song is paused, loading, ended or silent', () => {
  const { sent, change } = listen()
  change('playing')
  for (const phase of ['paused', 'loading', 'ended', 'silent'] as const) {
    vi.advanceTimersByTime(1000)
    change(phase)
    vi.advanceTimersByTime(15_000)
  }
  expect(sent).toEqual([])
})

test('another song starts its own five seconds, and nothing is sent after the end', () => {
  const { sent, change, stop } = listen()
  change('playing', '1')
  vi.advanceTimersByTime(4000)
  change('playing', '2')
  vi.advanceTimersByTime(4000)
  expect(sent).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(sent).toMatchObject([{ songId: '2', at: 9000 }])
  stop()
  vi.advanceTimersByTime(10_000)
  expect(sent).toHaveLength(1)
})
