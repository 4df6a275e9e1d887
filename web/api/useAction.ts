import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { createPressGuard } from './pressGuard.ts'
import { type Action, runAction } from './runAction.ts'

interface PressAction<Data, Variables> extends Action<Data, Variables> {
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
export function useAction<Data, Variables = void>(action: PressAction<Data, Variables>) {
  const [guard] = useState(createPressGuard)
  const [progress, setProgress] = useState<Progress<Data, Variables>>(nothingSent)
  const latest = useRef(action)
  useLayoutEffect(() => {
    latest.current = action
  })

  const mutate = useCallback(
    (variables: Variables, { onSuccess }: Pick<Action<Data, Variables>, 'onSuccess'> = {}) => {
      const action = latest.current
      const name = action.nameOf?.(variables)
      if (!guard.start(name)) return
      setProgress({ isPending: true, variables, data: undefined })
      const succeed = async (data: Data) => {
        await action.onSuccess?.(data, variables)
        await onSuccess?.(data, variables)
      }
      void runAction({ ...action, onSuccess: succeed }, variables).then((data) => {
        guard.end(name)
        setProgress({ isPending: false, variables, data })
      })
    },
    [guard],
  )
  return { mutate, ...progress }
}

const nothingSent = { isPending: false, variables: undefined, data: undefined }
