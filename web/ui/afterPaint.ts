import { useEffect, useMemo, useState } from 'react'
import { type StoreApi, useStore } from 'zustand'

/** Milliseconds after which `afterPaint` does not wait any longer: a hidden page paints nothing. */
const MAX_WAIT = 250

/** Calls `callback` once the browser has painted what is rendered now. Returns a function that cancels the call. */
export function afterPaint(callback: () => void): () => void {
  let painted: ReturnType<typeof setTimeout> | undefined
  const finish = () => {
    cancel()
    callback()
  }
  const frame = requestAnimationFrame(() => {
    painted = setTimeout(finish)
  })
  const overdue = setTimeout(finish, MAX_WAIT)
  function cancel() {
    cancelAnimationFrame(frame)
    clearTimeout(painted)
    clearTimeout(overdue)
  }
  return cancel
}

/** False until the browser has painted what was rendered with `when`. For content that may come a moment later. */
export function useHasPainted(when = true): boolean {
  const [hasPainted, setHasPainted] = useState(false)
  useEffect(() => {
    if (when && !hasPainted) return afterPaint(() => setHasPainted(true))
  }, [when, hasPainted])
  return hasPainted
}

/*
 * Discovery and playback change their stores and start a sound before React renders, which takes longer than a frame.
 * startTransition cannot defer it, because React renders changes of stores synchronously (useSyncExternalStore).
 */

/** A store that only its module changes. */
export type ReadonlyStore<State> = Omit<StoreApi<State>, 'setState'>

/** Components that wait for the next paint; null outside of `renderAfterPaint`. */
let deferredRenders: Set<() => void> | null = null
let isPress = false

/**
 * Runs `change`, which changes stores at once. Components that read them by `useDeferredStore` render after the next
 * paint, all together. Of a press, those with `rendersAtPress` render before it.
 */
export function renderAfterPaint(change: () => void, isPressChange = false): void {
  isPress = isPressChange
  if (!deferredRenders) {
    deferredRenders = new Set()
    afterPaint(() => {
      const renders = deferredRenders
      deferredRenders = null
      for (const render of renders ?? []) render()
    })
  }
  change()
}

/** zustand's `useStore`, whose render can wait for `renderAfterPaint`. */
export function useDeferredStore<State, Part>(
  store: ReadonlyStore<State>,
  select: (state: State) => Part,
  rendersAtPress = false,
): Part {
  const deferred = useMemo<ReadonlyStore<State>>(
    () => ({
      ...store,
      subscribe: (listener) =>
        store.subscribe((state, previous) => {
          if (deferredRenders && !(rendersAtPress && isPress))
            // zustand's listener is React's, which takes no state.
            deferredRenders.add(listener as () => void)
          else listener(state, previous)
        }),
    }),
    [store, rendersAtPress],
  )
  return useStore(deferred, select)
}
