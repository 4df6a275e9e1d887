import { type UseMutationOptions, useMutation as useTanstackMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSinglePress } from './useSinglePress.ts'

type Options<Data, Variables> = Pick<
  UseMutationOptions<Data, Error, Variables, unknown>,
  'mutationFn' | 'onMutate' | 'onSuccess' | 'onError' | 'onSettled'
>

type MutateCallbacks<Data, Variables> = Pick<Options<Data, Variables>, 'onSuccess'>

/** TanStack's `useMutation` for what forms and buttons send, with `useSinglePress`. */
export function useMutation<Data, Variables = void>(options: Options<Data, Variables>) {
  const { mutateAsync, ...mutation } = useTanstackMutation(reportCallbackErrors(options))
  const pressOnce = useSinglePress()
  const mutate = useCallback(
    (variables: Variables, callbacks?: MutateCallbacks<Data, Variables>) =>
      pressOnce(() => mutateAsync(variables, callbacks)),
    [pressOnce, mutateAsync],
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
