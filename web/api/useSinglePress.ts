import { useCallback, useRef } from 'react'

/**
 * Returns a function that runs what a form or button sends. It ignores a press while one is pending, even in the same
 * task, and the second click of a double click, which would revert a follow that was answered in between.
 * Presses with different names may be pending at once.
 */
export function useSinglePress() {
  // State would be too late: it changes with the next render.
  const pending = useRef(new Set<string>())
  return useCallback((send: () => Promise<unknown>, name = '') => {
    if (pending.current.has(name) || clickCount > 1) return
    pending.current.add(name)
    const settle = () => pending.current.delete(name)
    send().then(settle, settle)
  }, [])
}

/** Consecutive clicks; 0 after a key. */
let clickCount = 0
const countClicks = ({ detail }: UIEvent) => {
  clickCount = detail
}
globalThis.window?.addEventListener('click', countClicks, true)
globalThis.window?.addEventListener('keydown', countClicks, true)
