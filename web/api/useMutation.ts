import { type UseMutationOptions, useMutation as useTanstackMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

type Options<Data, Variables> = Pick<
  UseMutationOptions<Data, Error, Variables, unknown>,
  'mutationFn' | 'onMutate' | 'onSuccess' | 'onError' | 'onSettled'
>

type MutateCallbacks<Data, Variables> = Pick<Options<Data, Variables>, 'onSuccess'>

/**
 * TanStack's `useMutation` for what forms and buttons send. `mutate` ignores a press while one is pending, even in the
 * same task, and the second click of a double click, which would revert a follow that was answered in between.
 */
export function useMutation<Data, Variables = void>(options: Options<Data, Variables>) {
  const { mutateAsync, ...mutation } = useTanstackMutation(reportCallbackErrors(options))
  // State would be too late: it changes with the next render.
  const isPending = useRef(false)
  const mutate = useCallback(
    (variables: Variables, callbacks?: MutateCallbacks<Data, Variables>) => {
      if (isPending.current || clickCount > 1) return
      isPending.current = true
      const settle = () => {
        isPending.current = false
      }
      mutateAsync(variables, callbacks).then(settle, settle)
    },
    [mutateAsync],
  )
  return { ...mutation, mutate }
}

/** A callback that throws neither turns a success into a failure nor leaves its button disabled. */
export function reportCallbackErrors<Data, Variables>({
  onSuccess,
  onError,
  onSettled,
  ...options
}: Options<Data, Variables>): Options<Data, Variables> {
  return {
    ...options,
    onSuccess: reportErrors(onSuccess),
    onError: reportErrors(onError),
    onSettled: reportErrors(onSettled),
  }
}

function reportErrors<Args extends unknown[]>(callback: ((...args: Args) => unknown) | undefined) {
  return async (...args: Args) => {
    try {
      await callback?.(...args)
    } catch (error) {
      reportError(error)
    }
  }
}

/** Consecutive clicks; 0 after a key. */
let clickCount = 0
const countClicks = ({ detail }: UIEvent) => {
  clickCount = detail
}
globalThis.window?.addEventListener('click', countClicks, true)
globalThis.window?.addEventListener('keydown', countClicks, true)
