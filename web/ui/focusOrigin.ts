/*
 * How the focus came to where it is. A control that was pressed by mouse or finger keeps the focus, but not the
 * keys: those belong to the page until Tab reaches a control (screens-6). `:focus-visible` cannot say it: browsers
 * turn it on with the first key after the press.
 */
let pointer = false
let tabIsDown = false
let frameByTab = false

/** By mouse or finger, and no Tab since. */
export const focusedByPointer = (): boolean => pointer

/** For a frame that has the focus: somebody walked into it with Tab. */
export const frameReachedByTab = (): boolean => frameByTab

window.addEventListener(
  'pointerdown',
  () => {
    pointer = true
  },
  true,
)
window.addEventListener(
  'keydown',
  ({ key }) => {
    if (key !== 'Tab') return
    pointer = false
    tabIsDown = true
  },
  true,
)
window.addEventListener(
  'keyup',
  ({ key }) => {
    if (key === 'Tab') tabIsDown = false
  },
  true,
)
// Where the focus goes into a frame of another site, the page hears no more than this.
window.addEventListener('blur', () => {
  frameByTab = tabIsDown
  tabIsDown = false
})
