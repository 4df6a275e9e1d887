/*
 * How the focus got to its place. After a click or touch a control keeps the focus, but not the keys: those are
 * shortcuts until Tab reaches a control (screens-6). `:focus-visible` cannot tell, because browsers set it at the
 * first key after the click.
 */
let pointer = false
let tabIsDown = false
let frameByTab = false

/** By click or touch, without a Tab since. */
export const focusedByPointer = (): boolean => pointer

/** A frame that got the focus by Tab. */
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
// This is the only event when the focus moves into a frame of another site.
window.addEventListener('blur', () => {
  frameByTab = tabIsDown
  tabIsDown = false
})
