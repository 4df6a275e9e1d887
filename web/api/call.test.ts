import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getCurrentUser, sendMagicLink } from '../../contract/auth.ts'
import { getNextSong, listNextMicrogenres } from '../../contract/discovery.ts'
import { listRatings } from '../../contract/library.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { call, callRange, fetchFile, onUnauthorized } from './call.ts'
import { startEarlyCall } from './earlyCalls.ts'
import { query } from './query.ts'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
})

describe('call', () => {
  test('fills the path, writes the query, sends cookies (calls-1)', async () => {
    fetched.mockResolvedValue(Response.json({ prefetch: true, songs: [] }))
    await call(getNextSong, { params: { id: '7' }, query: { prefetch: 'true', _t: undefined } })
    expect(fetched).toHaveBeenCalledWith(
      '/api/microgenres/7/next-song?prefetch=true',
      expect.objectContaining({ method: 'GET', credentials: 'include', body: null }),
    )
  })

  test('sends a body as JSON (calls-1)', async () => {
    fetched.mockResolvedValue(Response.json({ message: 'sent' }))
    await expect(call(sendMagicLink, { body: { email: 'a@b.c' } })).resolves.toEqual({ message: 'sent' })
    const init = fetched.mock.calls[0]?.[1]
    expect(init?.headers).toEqual({ 'Content-Type': 'application/json' })
    expect(init?.body).toBe('{"email":"a@b.c"}')
  })

  test("throws the server's message", async () => {
    fetched.mockResolvedValue(new Response('{"message":"no"}', { status: 404 }))
    await expect(call(getMyStats)).rejects.toThrow('404: {"message":"no"}')
  })

  test('reports every 401 (signin-1)', async () => {
    fetched.mockResolvedValue(new Response('', { status: 401 }))
    const heard = vi.fn()
    const stop = onUnauthorized(heard)
    await expect(call(getMyStats)).rejects.toThrow('401: Unauthorized')
    stop()
    expect(heard).toHaveBeenCalledExactlyOnceWith(getMyStats)
  })
})

describe('calls-12: a call that gets no answer fails', () => {
  /** Never answers, as on a dead connection; `limits` are the milliseconds of each call. */
  function hang() {
    const limits: number[] = []
    const over = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((limit) => {
      limits.push(limit)
      return over.signal
    })
    fetched.mockImplementation(
      (_, options) =>
        new Promise((_, reject) =>
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason)),
        ),
    )
    return { limits, end: () => over.abort(new DOMException('The operation timed out.', 'TimeoutError')) }
  }

  test('after twelve seconds, or after its own deadline, whether or not it can be cancelled', async () => {
    const { limits, end } = hang()
    const { signal } = new AbortController()
    const calls = [
      call(getMyStats),
      call(getMyStats, {}, { signal }),
      call(listRatings),
      callRange(listRatings, {}, { limit: 2 }),
    ]
    const ended = Promise.allSettled(calls)
    end()
    expect((await ended).map((one) => one.status === 'rejected' && one.reason.name)).toEqual(
      Array(4).fill('TimeoutError'),
    )
    expect(limits).toEqual([12_000, 12_000, 32_000, 32_000])
  })

  test('also one that was begun early, and a file', async () => {
    const { limits, end } = hang()
    startEarlyCall(getMyStats.path)
    const calls = [call(getMyStats), fetchFile('/picture.png', new AbortController().signal)]
    const ended = Promise.allSettled(calls)
    end()
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(limits).toEqual([12_000, 20_000])
  })

  test('a body that stops arriving fails, too', async () => {
    const { end } = hang()
    fetched.mockImplementation(async (_, options) => {
      const body = new ReadableStream({
        start: (stream) =>
          options?.signal?.addEventListener('abort', () => stream.error(options.signal?.reason)),
      })
      return new Response(body)
    })
    const stats = call(getMyStats)
    end()
    await expect(stats).rejects.toThrow('timed out')
  })
})

describe('callPart', () => {
  test('requests only some items, and reads how many there are (library-16)', async () => {
    const headers = { 'Content-Range': 'items 7-8/5000' }
    fetched.mockResolvedValue(Response.json(['a', 'b'], { status: 206, headers }))
    await expect(
      callRange(listRatings, { query: { type: 'banger' } }, { offset: 7, limit: 2 }),
    ).resolves.toEqual({
      items: ['a', 'b'],
      total: 5000,
    })
    expect(fetched).toHaveBeenCalledWith(
      '/api/users/me/ratings?type=banger',
      expect.objectContaining({ method: 'GET', credentials: 'include', headers: { Range: 'items=7-8' } }),
    )
  })

  test('accepts a complete list too', async () => {
    fetched.mockImplementation(async () => Response.json(['a', 'b', 'c']))
    await expect(callRange(listRatings, {}, { limit: 2 })).resolves.toEqual({ items: ['a', 'b'], total: 3 })
    await expect(callRange(listRatings, {}, { offset: 2, limit: 2 })).resolves.toEqual({
      items: ['c'],
      total: 3,
    })
  })

  test('has no items where the list has become shorter', async () => {
    fetched.mockResolvedValue(new Response('{"message":"The list ends before this range."}', { status: 416 }))
    await expect(callRange(listRatings, {}, { offset: 20, limit: 2 })).resolves.toEqual({
      items: [],
      total: 20,
    })
  })
})

describe('query', () => {
  test('its key is the path, then the query object (calls-2)', () => {
    expect(query(getMyStats).queryKey).toEqual(['/api/users/me/stats'])
    expect(query(listNextMicrogenres, { query: { exclude: '3', limit: 4 } }).queryKey).toEqual([
      '/api/microgenres/suggestions',
      { exclude: '3', limit: 4 },
    ])
  })

  test('a 401 is null where the call asks for that (calls-2)', async () => {
    fetched.mockImplementation(async () => new Response('', { status: 401 }))
    const { signal } = new AbortController()
    await expect(query(getCurrentUser, {}, { on401: 'null' }).queryFn({ signal })).resolves.toBeNull()
    await expect(query(getCurrentUser).queryFn({ signal })).rejects.toThrow('401')
  })
})
