import { expect, test } from 'vitest'
import { FairQueue } from './FairQueue.ts'

const LIMITS = { waitingPerKey: 3, waiting: 4, retryAfter: 5 }

/** A queue whose jobs record their start, and end when the test says so. */
function watch(queue: FairQueue) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    ask: (name: string, signal?: AbortSignal) =>
      queue.run(
        name.charAt(0),
        () =>
          new Promise<string>((resolve) => {
            started.push(name)
            ends.set(name, () => resolve(name))
          }),
        signal,
      ),
    async end(name: string) {
      await settled()
      ends.get(name)?.()
      await settled()
    },
  }
}

/** Waits until nothing can happen without another event. */
const settled = () => new Promise(setImmediate)

test('limits-5: a caller with many jobs delays only itself: callers take turns', async () => {
  const { started, ask, end } = watch(new FairQueue(LIMITS))
  const answers = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => ask(name))
  for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) await end(name)

  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
  expect(await Promise.all(answers)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1'])
})

test('concurrent jobs belong to different callers', async () => {
  const { started, ask, end } = watch(new FairQueue({ ...LIMITS, concurrency: 2 }))
  const answers = ['a1', 'a2', 'b1'].map((name) => ask(name))
  await settled()
  expect(started).toEqual(['a1', 'b1'])
  await end('a1')
  expect(started).toEqual(['a1', 'b1', 'a2'])
  await end('a2')
  await end('b1')
  await Promise.all(answers)
})

test("too many queued jobs are rejected: 429 for a caller's own, 503 for those of all", async () => {
  const { started, ask, end } = watch(new FairQueue(LIMITS))
  const answers = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name))
  await expect(ask('a5')).rejects.toMatchObject({ status: 429, retryAfter: 5 })
  answers.push(ask('b1'))
  await expect(ask('c1')).rejects.toMatchObject({ status: 503, retryAfter: 5 })

  for (const name of ['a1', 'b1', 'a2', 'a3', 'a4']) await end(name)
  await Promise.all(answers)
  expect(started).not.toContain('a5')
  answers.push(ask('c1'))
  await end('c1')
  await Promise.all(answers)
})

test('a job that nobody waits for any more never starts, and leaves the queue', async () => {
  const queue = new FairQueue({ ...LIMITS, waitingPerKey: 1 })
  const { started, ask, end } = watch(queue)
  const gone = new AbortController()
  const running = ask('a1', gone.signal)
  const waiting = ask('a2', gone.signal)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(ask('a3', gone.signal)).rejects.toThrow('gone')
  expect(queue.waiting).toBe(0)
  const next = ask('a4')
  await end('a1')
  await end('a4')

  expect(started).toEqual(['a1', 'a4'])
  expect(await running).toBe('a1')
  await next
})

test('the next job starts after a job that fails', async () => {
  const queue = new FairQueue(LIMITS)
  const failing = queue.run('a', () => Promise.reject(new Error('broken')))
  const next = queue.run('b', async () => 'made')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('made')
})

test('limits-5: a job that never ends is given up, and the next one starts', async () => {
  const queue = new FairQueue({ ...LIMITS, timeout: 20 })
  const hanging = queue.run('a', () => new Promise(() => {}))
  const next = queue.run('b', async () => 'made')
  await expect(hanging).rejects.toMatchObject({ status: 503 })
  expect(await next).toBe('made')
})
