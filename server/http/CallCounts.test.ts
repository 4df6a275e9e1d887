import { afterEach, expect, test, vi } from 'vitest'
import { CallCounts } from './CallCounts.ts'

const MINUTE = 60_000

afterEach(() => void vi.useRealTimers())

test('counts each caller separately, and says when the window ends', () => {
  const clock = startClock()
  const counts = new CallCounts()
  count(counts, 'ada')
  clock.pass(20_000)

  expect(count(counts, 'ada')).toEqual({ current: 2, ttl: 40_000 })
  expect(count(counts, 'bob')).toEqual({ current: 1, ttl: MINUTE })
})

test('a new window starts when the previous one has ended', () => {
  const clock = startClock()
  const counts = new CallCounts()
  for (let n = 0; n < 5; n++) count(counts, 'ada')
  clock.pass(MINUTE)

  expect(count(counts, 'ada')).toEqual({ current: 1, ttl: MINUTE })
})

test('a clock that is set back makes nobody wait', () => {
  const clock = startClock()
  const counts = new CallCounts()
  for (let n = 0; n < 5; n++) count(counts, 'ada')
  vi.setSystemTime(Date.now() - 24 * 3_600_000)
  clock.pass(MINUTE)

  expect(count(counts, 'ada').current).toBe(1)
})

test('remembers a bounded number of callers, the most recent ones', () => {
  startClock()
  const counts = new CallCounts()
  for (let n = 0; n < 60_000; n++) count(counts, `caller-${n}`)

  expect(count(counts, 'caller-59999').current).toBe(2)
  expect(count(counts, 'caller-0').current).toBe(1)
})

test('a refunded call does not count', () => {
  startClock()
  const counts = new CallCounts()
  count(counts, 'ada')
  count(counts, 'ada')
  counts.giveBack('ada')
  counts.giveBack('bob')

  expect(count(counts, 'ada').current).toBe(2)
  expect(count(counts, 'bob').current).toBe(1)
})

function count(counts: CallCounts, caller: string): { current: number; ttl: number } {
  let counted = { current: 0, ttl: 0 }
  counts.incr(
    caller,
    (_, result) => {
      counted = result ?? counted
    },
    MINUTE,
  )
  return counted
}

/** `pass` advances the monotonic clock. */
function startClock() {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  return { pass: (ms: number) => void vi.advanceTimersByTime(ms) }
}
