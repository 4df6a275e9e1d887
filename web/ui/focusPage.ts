/** Gives the focus to the dialog that is open, for it keeps the focus inside, else to the page. */
export function focusPage(): void {
  const places = [...document.querySelectorAll<HTMLElement>('main, [role=dialog]')].reverse()
  places.find((place) => place.checkVisibility())?.focus({ preventScroll: true })
}
