import { useCallback, useSyncExternalStore } from 'react'
import { afterPaint } from './afterPaint.ts'

/** State outside of React, which components read in part. */
export interface Store<State> {
  state(): State
  /** Calls `listener` after every change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

export interface WritableStore<State> extends Store<State> {
  set(next: State): void
}

export function createStore<State>(initial: State): WritableStore<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    state: () => state,
    set(next) {
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * The selected part of the state. Renders again only when that part changes, so `select` must not build new objects.
 * With `answersPress`, the change that a press makes is drawn in the next frame and not held back by `renderAfterPaint`.
 */
export function useStore<State, Part>(
  store: Store<State>,
  select: (state: State) => Part,
  rendersAtPress = false,
): Part {
  const subscribe = useCallback(
    (render: () => void) =>
      store.subscribe(() =>
        deferredRenders && !(rendersAtPress && isPress) ? void deferredRenders.add(render) : render(),
      ),
    [store, rendersAtPress],
  )
  return useSyncExternalStore(subscribe, () => select(store.state()))
}

/** The components that `renderAfterPaint` holds back; null while it holds none. */
let deferredRenders: Set<() => void> | null = null
let isPress = false

/**
 * Runs `act`. Stores change at once, but what they show is drawn a frame later, all of it together: a sound starts
 * before the page is drawn. Of a press, what answers it is drawn first.
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
