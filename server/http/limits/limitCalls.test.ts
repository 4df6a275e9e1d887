import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { CallCounts, limitCalls } from './limitCalls.ts'

const MINUTE = 60_000

afterEach(() => void vi.useRealTimers())

test('counts each caller separately, and says when the window ends', () => {
  const clock = startClock()
  const counts = new CallCounts()
  counts.add('ada')
  clock.pass(20_000)

  expect(counts.add('ada')).toEqual({ current: 2, wait: 40 })
  expect(counts.add('bob')).toEqual({ current: 1, wait: 60 })
})

test.each([
  ['a new window starts when the previous one has ended', 0],
  ['a clock that is set back makes nobody wait', 24 * 3_600_000],
])('%s', (_, back) => {
  const clock = startClock()
  const counts = new CallCounts()
  for (let n = 0; n < 5; n++) counts.add('ada')
  vi.setSystemTime(Date.now() - back)
  clock.pass(MINUTE + 1)

  expect(counts.add('ada')).toEqual({ current: 1, wait: 60 })
})

test('remembers a bounded number of callers, the most recent ones', () => {
  startClock()
  const counts = new CallCounts()
  for (let n = 0; n < 60_000; n++) counts.add(`caller-${n}`)

  expect(counts.add('caller-59999').current).toBe(2)
  expect(counts.add('caller-0').current).toBe(1)
})

test('a refunded call does not count', () => {
  startClock()
  const counts = new CallCounts()
  counts.add('ada')
  counts.add('ada')
  counts.refund('ada')
  counts.refund('bob')

  expect(counts.add('ada').current).toBe(2)
  expect(counts.add('bob').current).toBe(1)
})

test('limits-1: an IPv6 /48 has as many calls as forty networks', () => {
  const limit = limitCalls(1, () => null)
  const isRefused = (ip: string) => {
    const done = vi.fn<(error?: Error) => void>()
    limit.count({ ip } as FastifyRequest, { headers() {} } as unknown as FastifyReply, done)
    return done.mock.lastCall?.[0] !== undefined
  }
  for (let n = 0; n < 40; n++) expect(isRefused(`2001:db8:1:${(n >> 2) + 1}0${n & 3}::1`)).toBe(false)

  expect(isRefused('2001:db8:1:b00::1')).toBe(true)
  expect(isRefused('2001:db8:2:b00::1')).toBe(false)
})

/** `pass` advances the monotonic clock. */
function startClock() {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  // The cache takes 0 for no time.
  vi.advanceTimersByTime(1)
  return { pass: (ms: number) => void vi.advanceTimersByTime(ms) }
}
