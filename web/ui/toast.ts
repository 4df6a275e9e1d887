import { create } from 'zustand'
import {
  initialToastState,
  type Toast,
  type ToastEvent,
  type ToastState,
  toastReducer,
} from './toastQueue.ts'

/** Shows a message for 3.5 s (screens-8); `toastReducer` says what it replaces and waits for. */
export function toast(message: Toast): void {
  dispatch({ type: 'toast', toast: message })
}

/** Says what did not work. */
toast.error = (description: string, title = 'Error') => toast({ title, description, tone: 'error' })

/** Shows a message for 4 s after those in the queue: for achievements, which often come together (community-14). */
export function queueToast(message: Toast): void {
  dispatch({ type: 'queue', toast: message })
}

/** For `Toaster`: the toast of this turn timed out or was dismissed. */
export function dismissToast(id: number): void {
  const { shown } = useToasts.getState()
  dispatch({ type: 'ended', id })
  if (shown?.id === id) shown.onEnd?.()
}

/** Removes the toast of this name, shown or waiting, without its `onEnd`. */
export function removeToast(name: string): void {
  dispatch({ type: 'dropped', name })
}

/** For `Toaster`. */
export const useToasts = create<ToastState>(() => initialToastState)

function dispatch(event: ToastEvent): void {
  useToasts.setState(toastReducer(useToasts.getState(), event), true)
}
