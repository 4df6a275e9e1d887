import { beforeEach, expect, test, vi } from 'vitest'
import { discoveryCalls } from './discoveryCalls.ts'

const fetchMock = vi.fn<typeof fetch>()
const body = { microgenreId: '7', songId: '1', rating: 'banger' } as const

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock.mockReset())
})

test('discover-13: a rating without an answer is sent once more, and not a third time', async () => {
  fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  fetchMock.mockImplementation(async () => Response.json({ completed: true }))
  expect(await discoveryCalls.sendRating(body)).toEqual({ completed: true })
  expect(fetchMock.mock.calls.map(([, options]) => options?.body)).toEqual(
    Array(2).fill(JSON.stringify(body)),
  )

  fetchMock.mockReset().mockRejectedValue(new DOMException('The operation timed out.', 'TimeoutError'))
  await expect(discoveryCalls.sendRating(body)).rejects.toThrow('timed out')
  expect(fetchMock).toHaveBeenCalledTimes(2)
})

test('discover-13: an answer that is an error is not repeated', async () => {
  fetchMock.mockImplementation(async () => new Response('', { status: 503 }))
  await expect(discoveryCalls.sendRating(body)).rejects.toThrow('503')
  expect(fetchMock).toHaveBeenCalledTimes(1)
})

test('calls-12: both tries of a rating take at most twelve seconds', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout')
  fetchMock.mockRejectedValue(new TypeError('Failed to fetch'))
  await expect(discoveryCalls.sendRating(body)).rejects.toThrow()
  expect(limits.mock.calls).toEqual([[6000], [6000]])
})
