import { beforeEach, expect, test, vi } from 'vitest'
import { runAction } from './runAction.ts'

const reported = vi.fn()
const called: string[] = []
const call = (name: string, fails: string) => () => {
  called.push(name)
  if (name === fails) throw new Error(name)
}

beforeEach(() => {
  vi.stubGlobal('reportError', reported.mockReset())
  called.length = 0
})

/** An action of which one callback throws. */
const send = (fails: string) =>
  runAction(
    {
      onMutate: call('onMutate', fails),
      mutationFn: async () => {
        call('mutationFn', fails)()
        return 'stored'
      },
      onSuccess: call('onSuccess', fails),
      onError: call('onError', fails === 'onError' ? fails : ''),
      onSettled: call('onSettled', fails),
    },
    undefined,
  )

test('what throws after the answer does not turn a success into a failure', async () => {
  expect(await send('onSuccess')).toBe('stored')
  expect(called).toEqual(['onMutate', 'mutationFn', 'onSuccess', 'onSettled'])
  expect(reported).toHaveBeenCalledExactlyOnceWith(new Error('onSuccess'))
})

test.each(['onMutate', 'mutationFn'])('a failing %s is a failure', async (fails) => {
  expect(await send(fails)).toBeUndefined()
  expect(called.slice(-2)).toEqual(['onError', 'onSettled'])
  expect(reported).not.toHaveBeenCalled()
})

test('it settles although a callback throws, so that its button works again', async () => {
  expect(await send('onSettled')).toBe('stored')
  const fails = {
    mutationFn: () => Promise.reject(new Error('no answer')),
    onError: call('onError', 'onError'),
  }
  expect(await runAction(fails, undefined)).toBeUndefined()
  expect(reported.mock.calls).toEqual([[new Error('onSettled')], [new Error('onError')]])
})
