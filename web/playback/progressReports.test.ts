import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Song } from '../../contract/shapes.ts'
import { initialPlayback, type Playback } from './playbackState.ts'
import { type ProgressReport, trackProgress } from './progressReports.ts'

const MINUTE = 60_000

let leave = () => {}
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', (_: 'pagehide', listener: () => void) => (leave = listener))
  vi.stubGlobal('removeEventListener', () => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A fake playback with the given state; its time is the fake clock's by default. */
function listen({ position, duration = 180 }: { position?: number; duration?: number } = {}) {
  const begun = Date.now()
  const sent: (ProgressReport & { at: number })[] = []
  const listeners = new Set<() => void>()
  let state: Pick<Playback, 'song' | 'phase'> = initialPlayback
  const { take, follow } = trackProgress({
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    position: () => position ?? (Date.now() - begun) / 1000,
    duration: () => duration,
  })
  const stop = follow((report) => sent.push({ ...report, at: Date.now() - begun }))
  return {
    sent,
    stop,
    take,
    change(phase: Playback['phase'], id = '1') {
      state = { ...state, phase, song: { id } as Song }
      for (const listener of listeners) listener()
    },
  }
}

test('playback-19: progress is sent when another song follows, once', () => {
  const { sent, change } = listen()
  change('playing')
  vi.advanceTimersByTime(16_000)
  change('paused')
  expect(sent).toEqual([])
  change('loading', '2')
  change('paused', '2')
  change('loading', '3')
  expect(sent).toEqual([{ songId: '1', secondsListened: 16, totalDuration: 180, at: 16_000 }])
})

test('playback-19: what a rating has taken along is not sent', () => {
  const { sent, change, take } = listen()
  change('playing')
  vi.advanceTimersByTime(16_000)
  change('pausing')
  expect(take('2')).toBeUndefined()
  expect(take('1')).toEqual({ secondsListened: 16, totalDuration: 180 })
  change('loading', '2')
  expect(sent).toEqual([])
})

test('playback-19: a song that plays on after a failed rating is taken along again', () => {
  const { sent, change, take } = listen()
  change('playing')
  vi.advanceTimersByTime(5000)
  change('paused')
  take('1')
  change('playing')
  vi.advanceTimersByTime(5000)
  change('paused')
  expect(take('1')).toMatchObject({ secondsListened: 10 })
  change('loading', '2')
  expect(sent).toEqual([])
})

test('playback-19: progress is sent after every minute of playback, without pauses', () => {
  const { sent, change } = listen()
  change('playing')
  vi.advanceTimersByTime(50_000)
  change('paused')
  vi.advanceTimersByTime(50_000)
  change('playing')
  vi.advanceTimersByTime(9999)
  expect(sent).toEqual([])
  vi.advanceTimersByTime(1 + MINUTE)
  expect(sent.map(({ at }) => at)).toEqual([110_000, 110_000 + MINUTE])
})

test('playback-19: progress is sent when the page is left', () => {
  const { sent, change } = listen()
  change('playing')
  vi.advanceTimersByTime(4000)
  leave()
  leave()
  expect(sent).toMatchObject([{ songId: '1', secondsListened: 4 }])
})

test.each([
  { position: 0 },
  { position: 0.0004 },
  { position: 86_401 },
  { duration: 0 },
  { duration: Number.NaN },
])('playback-19: it is neither sent nor taken along with %o', (times) => {
  const { sent, change, take } = listen(times)
  change('playing')
  vi.advanceTimersByTime(2 * MINUTE)
  expect(take('1')).toBeUndefined()
  change('playing', '2')
  expect(sent).toEqual([])
})

test('playback-19: it is not sent for a suggestion at the desk, nor after the end', () => {
  const { sent, change, stop } = listen()
  change('playing', 'suggestion-1')
  vi.advanceTimersByTime(5000)
  change('playing', '2')
  stop()
  vi.advanceTimersByTime(2 * MINUTE)
  expect(sent).toEqual([])
})
