import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './ApiError.ts'
import { prefetch } from './query.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each([
  ['ten seconds', new ApiError(500, '', ''), 10_000],
  ['ten seconds, without an answer', new TypeError('Failed to fetch'), 10_000],
  ["the server's Retry-After", new ApiError(503, '', '', '30'), 30_000],
])('calls-9: what failed is not loaded again before %s', async (_, error, pause) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryFn = vi.fn<() => Promise<string>>().mockRejectedValue(error)
  const load = async () => {
    prefetch(client, { queryKey: ['ratings'], queryFn, staleTime: Number.POSITIVE_INFINITY })
    await vi.advanceTimersByTimeAsync(0)
    return queryFn.mock.calls.length
  }
  expect([await load(), await load()]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(pause - 1)
  expect(await load()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  queryFn.mockResolvedValue('loaded')
  expect([await load(), await load()]).toEqual([2, 2])
  client.clear()
})

test('calls-9: a clock that is set back does not prolong the pause', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryFn = vi.fn<() => Promise<string>>().mockRejectedValue(new TypeError('Failed to fetch'))
  const load = () => prefetch(client, { queryKey: ['ratings'], queryFn })
  load()
  await vi.advanceTimersByTimeAsync(0)
  vi.setSystemTime(Date.now() - 3_600_000)
  load()
  expect(queryFn).toHaveBeenCalledTimes(2)
  client.clear()
})
