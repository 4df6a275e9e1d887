export interface PressGuard {
  /** Whether this press may start something. `name` tells apart what may go on at the same time. */
  start(name?: string): boolean
  end(name?: string): void
}

/**
 * Starts something once, however often it is pressed. The state of a component is too late for that: it changes
 * with the next picture, and a second press may come before. The second click of a double click starts nothing
 * either: it would take back a follow that was answered in between.
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

/** How many times the mouse clicked in a row; 0 for a press by key. */
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
