import { create } from 'zustand'

/** Milliseconds in which Undo shows, on Discover and in toasts (screens-8). */
export const UNDO_TIME = 10_000

/**
 * Shows a message for 3.5 s (screens-8); `toastReducer` says what it replaces and waits for. An error says whether trying
 * again needs a network first.
 */
export function toast({ description, ...message }: Toast): void {
  const needsNetwork =
    message.tone === 'error' && navigator.onLine === false && description?.endsWith('try again.')
  dispatch({
    type: 'toast',
    toast: { ...message, description: needsNetwork ? `${description} You are offline.` : description },
  })
}

toast.error = (description: string, title = 'Error') => toast({ title, description, tone: 'error' })

/** Shows a message for 4 s after the one on screen and those in the queue: for achievements (community-14). */
export function queueToast(message: Toast): void {
  dispatch({ type: 'queue', toast: message })
}

/** For `Toaster`: the toast with this id timed out or was dismissed. */
export function dismissToast(id: number): void {
  const { shown } = useToasts.getState()
  dispatch({ type: 'ended', id })
  if (shown?.id === id) shown.onEnd?.()
}

/** Removes the toast of this name, shown or waiting, without its `onEnd`. */
export function removeToast(name: string): void {
  dispatch({ type: 'dropped', name })
}

export const initialToastState: ToastState = { shown: null, waiting: [], lastId: 0 }

/** For `Toaster`. */
export const useToasts = create<ToastState>(() => initialToastState)

function dispatch(event: ToastEvent): void {
  useToasts.setState(toastReducer(useToasts.getState(), event), true)
}

export interface Toast {
  title: string
  description?: string
  tone?: 'plain' | 'success' | 'error'
  /** Milliseconds; default 3500. */
  duration?: number
  /** A newer toast of this name takes its place, and `removeToast` removes it. */
  name?: string
  /** A button. A toast with a button is never lost: it returns after one that interrupted it. */
  action?: { label: string; run: () => void }
  /** Called when it timed out or was dismissed. */
  onEnd?: () => void
}

export interface ToastState {
  /** The toast on screen; a queued one must not be replaced (community-14). */
  shown: (Toast & { isQueued: boolean; id: number }) | null
  waiting: readonly Toast[]
  /** Each shown toast has its own id, so that the late timeout of one never ends the next. */
  lastId: number
}

export type ToastEvent =
  | { type: 'toast'; toast: Toast }
  | { type: 'queue'; toast: Toast }
  | { type: 'ended'; id: number }
  | { type: 'dropped'; name: string }

/**
 * One toast at a time (screens-8). An error shows at once: a queued toast that it interrupts returns after it, and
 * only another error or a success, which belongs to a newer press, replaces it. Any other toast replaces the one on
 * screen, but waits behind queued ones, which each get their full time (community-14), and returns one with a button.
 */
export function toastReducer(state: ToastState, event: ToastEvent): ToastState {
  switch (event.type) {
    case 'toast':
      return showOrQueue(removeWaiting(state, event.toast.name), event.toast)
    case 'queue': {
      const toast = { duration: QUEUED_DURATION, ...event.toast }
      return state.shown ? { ...state, waiting: [...state.waiting, toast] } : show(state, toast, true)
    }
    case 'ended':
      return state.shown?.id === event.id ? showNext(state) : state
    case 'dropped': {
      const others = removeWaiting(state, event.name)
      return others.shown?.name === event.name ? showNext(others) : others
    }
  }
}

function showOrQueue(state: ToastState, toast: Toast): ToastState {
  const { shown, waiting } = state
  if (!shown || (toast.name && toast.name === shown.name)) return show(state, toast, false)
  if (shown.action || (toast.tone === 'error' && shown.isQueued))
    return show({ ...state, waiting: [shown, ...waiting] }, toast, false)
  const mustWait =
    shown.isQueued || (shown.tone === 'error' && toast.tone !== 'error' && toast.tone !== 'success')
  return mustWait ? { ...state, waiting: [...waiting, toast] } : show(state, toast, false)
}

function showNext(state: ToastState): ToastState {
  const [next, ...others] = state.waiting
  return next ? show({ ...state, waiting: others }, next, true) : { ...state, shown: null }
}

function removeWaiting(state: ToastState, name: string | undefined): ToastState {
  const waiting = state.waiting.filter((toast) => !name || toast.name !== name)
  return waiting.length < state.waiting.length ? { ...state, waiting } : state
}

/** Milliseconds that each achievement shows (community-14). */
const QUEUED_DURATION = 4000

function show(state: ToastState, toast: Toast, isQueued: boolean): ToastState {
  const id = state.lastId + 1
  return { ...state, shown: { ...toast, isQueued, id }, lastId: id }
}
