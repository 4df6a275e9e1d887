import { createStore } from './store.ts'
import { nextToast, noToast, type Toast, type ToastEvent, type ToastState } from './toastQueue.ts'

/** Shows a message for 3.5 s (screens-8); `nextToast` says what it replaces and waits for. */
export function toast(message: Toast): void {
  dispatch({ type: 'toast', toast: message })
}

/** Says what did not work. */
export const toastError = (description: string, title = 'Error') =>
  toast({ title, description, tone: 'error' })

/** Shows a message for 4 s after those in the queue: for achievements, which often come together (community-14). */
export function queueToast(message: Toast): void {
  dispatch({ type: 'queue', toast: message })
}

/** For `Toaster`: the toast of this turn timed out or was dismissed. */
export function endToast(turn: number): void {
  const { shown } = toasts.state()
  dispatch({ type: 'ended', id: turn })
  if (shown?.id === turn) shown.onEnd?.()
}

/** Removes the toast of this name, shown or waiting, without its `onEnd`. */
export function dropToast(name: string): void {
  dispatch({ type: 'dropped', name })
}

/** For `Toaster`. */
export const toasts = createStore<ToastState>(noToast)

function dispatch(event: ToastEvent): void {
  toasts.set(nextToast(toasts.state(), event))
}
