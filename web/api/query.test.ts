import { expect, test } from 'vitest'
import { ApiError } from './ApiError.ts'
import { shouldRetryOnMount } from './query.ts'

test.each([
  ['ten seconds', new ApiError(500, '', ''), 10_000],
  ['ten seconds, without an answer', new TypeError('Failed to fetch'), 10_000],
  ["the server's Retry-After", new ApiError(503, '', '', '30'), 30_000],
])('calls-9: what failed is not loaded again before %s', (_, error, pause) => {
  const isRetriedAfter = (elapsed: number) =>
    shouldRetryOnMount({ state: { error, errorUpdatedAt: Date.now() - elapsed } })
  expect([0, pause - 1000, pause].map(isRetriedAfter)).toEqual([false, false, true])
})

test('calls-9: a clock that is set back does not prolong the pause', () => {
  const state = { error: new TypeError('Failed to fetch'), errorUpdatedAt: Date.now() + 3_600_000 }
  expect(shouldRetryOnMount({ state })).toBe(true)
})
