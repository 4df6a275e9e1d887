/*
 * How the focus got to its place. After a click or touch a control keeps the focus, but not the keys: those are
 * shortcuts until Tab reaches a control (screens-6). `:focus-visible` cannot tell, because browsers set it at the
 * first key after the click.
 */
let isByPointer = false
let isTabDown = false
let isFrameByTab = false

/** By click or touch, without a Tab since. */
export const isFocusByPointer = (): boolean => isByPointer

/** A frame that got the focus by Tab. */
export const isFrameFocusByTab = (): boolean => isFrameByTab

globalThis.window?.addEventListener(
  'pointerdown',
  () => {
    isByPointer = true
  },
  true,
)
globalThis.window?.addEventListener(
  'keydown',
  ({ key }) => {
    if (key !== 'Tab') return
    isByPointer = false
    isTabDown = true
  },
  true,
)
globalThis.window?.addEventListener(
  'keyup',
  ({ key }) => {
    if (key === 'Tab') isTabDown = false
  },
  true,
)
// This is the only event when the focus moves into a frame of another site.
globalThis.window?.addEventListener('blur', () => {
  isFrameByTab = isTabDown
  isTabDown = false
})
