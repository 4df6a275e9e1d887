import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../api/ApiError.ts'
import { callFailure, retryUpload, storageFailure, UploadFailure } from './retryUpload.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Fails with `statuses` in turn, then succeeds; records the attempts in ms from the start. */
function sender(...statuses: number[]) {
  const began = Date.now()
  const times: number[] = []
  const send = async () => {
    times.push(Date.now() - began)
    const status = statuses.shift()
    if (status !== undefined) throw storageFailure(status, '')
    return 'sent'
  }
  return { send, times }
}

describe('retrying an upload (uploads-8)', () => {
  test('at once, then after 1, 3 and 5 s, and then no more (uploads-8)', async () => {
    const { send, times } = sender(500, 503, 429, 409, 500)
    const done = expect(retryUpload(send)).rejects.toThrow('Non 2xx')
    await vi.runAllTimersAsync()
    await done
    expect(times).toEqual([0, 0, 1000, 4000, 9000])
  })

  test('403 of an expired address, 409 and 429 are retried (uploads-8)', async () => {
    for (const status of [403, 409, 429]) {
      const { send, times } = sender(status)
      const done = retryUpload(send)
      await vi.runAllTimersAsync()
      expect(await done).toBe('sent')
      expect(times).toHaveLength(2)
    }
  })

  test('any other 4xx is not (uploads-8)', async () => {
    for (const status of [400, 401, 404, 413, 415]) {
      const { send, times } = sender(status)
      await expect(retryUpload(send)).rejects.toThrow(UploadFailure)
      expect(times).toHaveLength(1)
    }
  })
})

describe('messages of a failure (uploads-9)', () => {
  test('of an upload', () => {
    expect(storageFailure(401, '').message).toBe('Authorization required')
    expect(storageFailure(403, '').message).toBe('Request has expired')
    expect(storageFailure(500, '<html>').message).toBe('Non 2xx')
    expect(storageFailure(413, '{"message":"Too large."}').message).toBe('Non 2xx: Too large.')
  })

  test('of a call', () => {
    expect(callFailure(new ApiError(401, '', '')).message).toBe('Authorization required')
    expect(callFailure(new ApiError(507, '', '{"message":"No room."}')).message).toBe('No room.')
    expect(callFailure(new TypeError('fetch failed')).message).toBe('Unknown error')
  })
})
