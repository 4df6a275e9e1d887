import { create } from 'zustand'

/** The open dialogs, the top one last. */
const useOpenDialogs = create<readonly HTMLElement[]>(() => [])

export const getTopDialog = (): HTMLElement | undefined => useOpenDialogs.getState().at(-1)

export const isDialogOpen = (): boolean => getTopDialog() !== undefined

export const useIsDialogOpen = (): boolean => useOpenDialogs((dialogs) => dialogs.length > 0)

/** The ref of a dialog, which counts as open while its element exists. */
export function registerDialog(dialog: HTMLElement | null): (() => void) | undefined {
  if (!dialog) return
  useOpenDialogs.setState([...useOpenDialogs.getState(), dialog], true)
  return () =>
    useOpenDialogs.setState(
      useOpenDialogs.getState().filter((other) => other !== dialog),
      true,
    )
}

/** Moves the focus to the top dialog, which keeps it inside, or else to the page. */
export function focusPage(): void {
  const pages = [...document.querySelectorAll<HTMLElement>('main')]
  const target = getTopDialog() ?? pages.find((page) => page.checkVisibility())
  target?.focus({ preventScroll: true })
}
