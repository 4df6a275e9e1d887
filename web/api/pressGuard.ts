export interface PressGuard {
  /** Whether this press may start an action. `name` identifies actions that may be pending at the same time. */
  start(name?: string): boolean
  end(name?: string): void
}

/**
 * Starts an action once, however often it is pressed. Component state would be too late: it changes with the next
 * render, and a second press may come before. The second click of a double click starts nothing either, because it
 * would revert a follow that was answered in between.
 */
export function createPressGuard(): PressGuard {
  const running = new Set<string>()
  return {
    start(name = '') {
      if (clicks > 1 || running.has(name)) return false
      running.add(name)
      return true
    },
    end: (name = '') => void running.delete(name),
  }
}

/** The number of consecutive clicks; 0 for a key press. */
let clicks = 0
window.addEventListener(
  'click',
  ({ detail }) => {
    clicks = detail
  },
  true,
)
window.addEventListener(
  'keydown',
  () => {
    clicks = 0
  },
  true,
)
