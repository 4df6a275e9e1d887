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
 */
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part {
  const subscribe = useCallback(
    (render: () => void) => store.subscribe(() => (held ? void held.add(render) : render())),
    [store],
  )
  return useSyncExternalStore(subscribe, () => select(store.state()))
}

/** Like `useStore`, for the little that `drawLater` does not hold back. */
export function useStoreAtOnce<State, Part>(store: Store<State>, select: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.state()))
}

/** The components that `drawLater` holds back; null while it holds none. */
let held: Set<() => void> | null = null

/**
 * Runs `act`. Stores change at once, but only `useStoreAtOnce` renders in the next frame; everything else follows
 * after it. So a slow machine answers a press, or starts a sound, before it draws the rest.
 */
export function drawLater(act: () => void): void {
  if (!held) {
    held = new Set()
    afterPaint(() => {
      const renders = held
      held = null
      for (const render of renders ?? []) render()
    })
  }
  act()
}
