import { type UseMutateFunction, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { createPressGuard } from '../ui/pressGuard.ts'

interface ActionOptions<Data, Variables> extends UseMutationOptions<Data, Error, Variables> {
  /** Tells apart what may be sent at the same time; without it there is one at a time. Must not change. */
  nameOf?: (variables: Variables) => string
}

/** What forms and buttons send: `useMutation`, except that pressed twice it is sent once. */
export function useAction<Data, Variables = void>({ nameOf, ...options }: ActionOptions<Data, Variables>) {
  const [guard] = useState(createPressGuard)
  const { mutate, isPending, variables, data } = useMutation<Data, Error, Variables>({
    ...options,
    onSettled(...outcome) {
      guard.end(nameOf?.(outcome[2]))
      return options.onSettled?.(...outcome)
    },
  })
  const mutateOnce = useCallback(
    (...input: Parameters<UseMutateFunction<Data, Error, Variables>>) => {
      if (guard.start(nameOf?.(input[0] as Variables))) mutate(...input)
    },
    [guard, mutate, nameOf],
  )
  return { mutate: mutateOnce, isPending, variables, data }
}
