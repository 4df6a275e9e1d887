import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { createPressGuard } from './pressGuard.ts'

interface Action<Data, Variables> {
  mutationFn: (variables: Variables) => Promise<Data>
  onMutate?: (variables: Variables) => void
  /** The action is pending until a promise that one of these returns is settled. */
  onSuccess?: (data: Data, variables: Variables) => unknown
  onError?: (error: Error, variables: Variables) => unknown
  onSettled?: () => unknown
  /** Identifies actions that may be pending at the same time; without it only one is. */
  nameOf?: (variables: Variables) => string
}

/** The arguments of the latest press. */
interface Progress<Data, Variables> {
  isPending: boolean
  variables: Variables | undefined
  data: Data | undefined
}

/**
 * Sends what forms and buttons send. A second press while the first is pending, even in the same task, is ignored.
 * The names are those of TanStack's `useMutation`, but it needs no query cache, because the sign-in pages have none.
 */
export function useAction<Data, Variables = void>(action: Action<Data, Variables>) {
  const [guard] = useState(createPressGuard)
  const [progress, setProgress] = useState<Progress<Data, Variables>>(nothingSent)
  const latest = useRef(action)
  useLayoutEffect(() => {
    latest.current = action
  })

  const mutate = useCallback(
    (variables: Variables, { onSuccess }: Pick<Action<Data, Variables>, 'onSuccess'> = {}) => {
      const name = latest.current.nameOf?.(variables)
      if (!guard.start(name)) return
      setProgress({ isPending: true, variables, data: undefined })
      void send(latest, variables, onSuccess).then((data) => {
        guard.end(name)
        setProgress({ isPending: false, variables, data })
      })
    },
    [guard],
  )
  return { mutate, ...progress }
}

/** Returns the response, or undefined after a failure. */
async function send<Data, Variables>(
  { current: action }: { current: Action<Data, Variables> },
  variables: Variables,
  onSuccess: Action<Data, Variables>['onSuccess'],
): Promise<Data | undefined> {
  try {
    action.onMutate?.(variables)
    const data = await action.mutationFn(variables)
    await action.onSuccess?.(data, variables)
    await onSuccess?.(data, variables)
    return data
  } catch (error) {
    await action.onError?.(error as Error, variables)
    return undefined
  } finally {
    await action.onSettled?.()
  }
}

const nothingSent = { isPending: false, variables: undefined, data: undefined }
