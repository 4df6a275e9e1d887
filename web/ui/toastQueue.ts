export interface Toast {
  title: string
  description?: string
  tone?: 'plain' | 'success' | 'error'
  /** Milliseconds; 3500 unless said. */
  duration?: number
}

export interface ToastState {
  /** What is on screen; `queued` says that it waits its turn and must not be replaced (D-54). */
  shown: (Toast & { queued: boolean; turn: number }) | null
  waiting: readonly Toast[]
  /** Counts what was shown, so that a late end of one never ends the next. */
  turn: number
}

export type ToastEvent =
  | { type: 'toast'; toast: Toast }
  | { type: 'queue'; toast: Toast }
  | { type: 'ended'; turn: number }

export const noToast: ToastState = { shown: null, waiting: [], turn: 0 }

/**
 * One toast at a time (spec §9). A new one replaces the one on screen, but waits behind those of the queue,
 * which each have their full time (D-54).
 */
export function nextToast(state: ToastState, event: ToastEvent): ToastState {
  switch (event.type) {
    case 'toast':
      if (state.shown?.queued) return { ...state, waiting: [...state.waiting, event.toast] }
      return show(state, event.toast, false)
    case 'queue':
      if (state.shown?.queued)
        return { ...state, waiting: [...state.waiting, { duration: QUEUED, ...event.toast }] }
      return show(state, { duration: QUEUED, ...event.toast }, true)
    case 'ended': {
      if (state.shown?.turn !== event.turn) return state
      const [next, ...waiting] = state.waiting
      if (!next) return { ...state, shown: null }
      return show({ ...state, waiting }, next, true)
    }
  }
}

/** How long each achievement is shown (spec §9). */
const QUEUED = 4000

function show(state: ToastState, toast: Toast, queued: boolean): ToastState {
  const turn = state.turn + 1
  return { ...state, shown: { ...toast, queued, turn }, turn }
}
