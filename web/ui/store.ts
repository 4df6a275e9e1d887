import { useSyncExternalStore } from 'react'

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
  return useSyncExternalStore(store.subscribe, () => select(store.state()))
}
