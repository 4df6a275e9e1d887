import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { uploadOptions } from './uploadOptions.ts'

/** A request that is never answered. */
class DeadRequest extends EventTarget {
  static sent = 0
  static last: DeadRequest
  upload: { onprogress?: (event: { loaded: number }) => void } = {}
  onabort = () => {}
  onloadend = () => {}
  open() {}
  setRequestHeader() {}
  send() {
    DeadRequest.sent += 1
    DeadRequest.last = this
  }
  abort() {
    this.onabort()
    this.onloadend()
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  DeadRequest.sent = 0
  vi.stubGlobal('XMLHttpRequest', DeadRequest)
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => vi.useRealTimers())

function upload(signal?: AbortSignal) {
  const address = { url: 'https://storage.test/photo', method: 'PUT' as const, headers: {} }
  const { uploadPartBytes } = uploadOptions({ sign: async () => address } as never) as {
    uploadPartBytes: (part: object) => Promise<unknown>
  }
  const ended = vi.fn()
  const part = { signature: address, body: new Blob(['x']), onProgress() {}, onComplete() {}, signal }
  uploadPartBytes(part).catch(ended)
  return ended
}

test('calls-12, uploads-8: an upload that stands still fails and is repeated, and progress keeps it alive', async () => {
  const ended = upload()
  await vi.advanceTimersByTimeAsync(179_000)
  DeadRequest.last.upload.onprogress?.({ loaded: 1 })
  await vi.advanceTimersByTimeAsync(179_000)
  expect(DeadRequest.sent).toBe(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(DeadRequest.sent).toBe(2)
  await vi.advanceTimersByTimeAsync(5 * 190_000)
  expect(DeadRequest.sent).toBe(5)
  expect(ended).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'Unknown error' }))
})

test('an upload that is cancelled is not repeated', async () => {
  const leaving = new AbortController()
  const ended = upload(leaving.signal)
  leaving.abort(new Error('cancelled'))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(DeadRequest.sent).toBe(1)
  expect(ended).toHaveBeenCalledExactlyOnceWith(new Error('cancelled'))
})
