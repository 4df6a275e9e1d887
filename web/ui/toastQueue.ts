export interface Toast {
  title: string
  description?: string
  tone?: 'plain' | 'success' | 'error'
  /** Milliseconds; default 3500. */
  duration?: number
}

export interface ToastState {
  /** The toast on screen; a `queued` one must not be replaced (community-14). */
  shown: (Toast & { queued: boolean; turn: number }) | null
  waiting: readonly Toast[]
  /** Counts shown toasts, so that a late timeout of one never ends the next. */
  turn: number
}

export type ToastEvent =
  | { type: 'toast'; toast: Toast }
  | { type: 'queue'; toast: Toast }
  | { type: 'ended'; turn: number }

export const noToast: ToastState = { shown: null, waiting: [], turn: 0 }

/**
 * One toast at a time (screens-8). An error shows at once: a queued toast that it interrupts returns after it, and
 * only another error or a success, which belongs to a newer press, replaces it. Any other toast replaces the one on
 * screen, but waits behind queued ones, which each get their full time (community-14).
 */
export function nextToast(state: ToastState, event: ToastEvent): ToastState {
  const { shown, waiting } = state
  switch (event.type) {
    case 'toast': {
      const { tone } = event.toast
      if (tone === 'error' && shown?.queued) {
        return show({ ...state, waiting: [shown, ...waiting] }, event.toast, false)
      }
      const mustWait = shown?.queued || (shown?.tone === 'error' && tone !== 'error' && tone !== 'success')
      if (mustWait) return { ...state, waiting: [...waiting, event.toast] }
      return show(state, event.toast, false)
    }
    case 'queue': {
      const toast = { duration: QUEUED, ...event.toast }
      if (shown?.queued || shown?.tone === 'error') return { ...state, waiting: [...waiting, toast] }
      return show(state, toast, true)
    }
    case 'ended': {
      if (shown?.turn !== event.turn) return state
      const [next, ...others] = waiting
      if (!next) return { ...state, shown: null }
      return show({ ...state, waiting: others }, next, true)
    }
  }
}

/** Milliseconds that each achievement shows (community-14). */
const QUEUED = 4000

function show(state: ToastState, toast: Toast, queued: boolean): ToastState {
  const turn = state.turn + 1
  return { ...state, shown: { ...toast, queued, turn }, turn }
}
