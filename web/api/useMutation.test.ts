import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { reportCallbackErrors } from './useMutation.ts'

const reported = vi.fn()
const called: string[] = []

beforeEach(() => {
  vi.stubGlobal('reportError', reported.mockReset())
  called.length = 0
})

/** Runs a mutation whose functions of these names throw. */
function mutate(...failing: string[]): Promise<string> {
  const call = (name: string) => {
    called.push(name)
    if (failing.includes(name)) throw new Error(name)
  }
  const options = reportCallbackErrors({
    onMutate: () => call('onMutate'),
    mutationFn: async () => {
      call('mutationFn')
      return 'stored'
    },
    onSuccess: () => call('onSuccess'),
    onError: () => call('onError'),
    onSettled: () => call('onSettled'),
  })
  return new MutationObserver(new QueryClient(), options).mutate(undefined)
}

test('a callback that throws after the response does not turn the success into a failure', async () => {
  expect(await mutate('onSuccess', 'onSettled')).toBe('stored')
  expect(called).toEqual(['onMutate', 'mutationFn', 'onSuccess', 'onSettled'])
  expect(reported.mock.calls).toEqual([[new Error('onSuccess')], [new Error('onSettled')]])
})

test.each(['onMutate', 'mutationFn'])('a failing %s is a failure', async (failing) => {
  await expect(mutate(failing)).rejects.toThrow(failing)
  expect(called.slice(-2)).toEqual(['onError', 'onSettled'])
  expect(reported).not.toHaveBeenCalled()
})

test('a failure settles although a callback throws, so that its button works again', async () => {
  await expect(mutate('mutationFn', 'onError')).rejects.toThrow('mutationFn')
  expect(called.at(-1)).toBe('onSettled')
  expect(reported).toHaveBeenCalledExactlyOnceWith(new Error('onError'))
})
