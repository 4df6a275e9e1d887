/** The ref callback of an element that takes the focus when it appears, in place of what had it and is gone. */
export function focusElement(element: HTMLElement | null): void {
  element?.focus()
}
