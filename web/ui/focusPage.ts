import { getTopDialog } from './openDialogs.ts'

/** Moves the focus to the top dialog, which keeps it inside, or else to the page. */
export function focusPage(): void {
  const pages = [...document.querySelectorAll<HTMLElement>('main')]
  const target = getTopDialog() ?? pages.find((page) => page.checkVisibility())
  target?.focus({ preventScroll: true })
}
