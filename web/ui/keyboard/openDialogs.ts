import { type Ref, useLayoutEffect, useState } from 'react'
import { create } from 'zustand'

/** The open dialogs, the top one last. */
const useOpenDialogs = create<readonly HTMLElement[]>(() => [])

export const getTopDialog = (): HTMLElement | undefined => useOpenDialogs.getState().at(-1)

export const isDialogOpen = (): boolean => getTopDialog() !== undefined

export const useIsDialogOpen = (): boolean => useOpenDialogs((dialogs) => dialogs.length > 0)

/** Returns the ref of a dialog, which counts as open while its element exists. */
export function useRegisterDialog(): Ref<HTMLDivElement> {
  const [dialog, setDialog] = useState<HTMLElement | null>(null)
  // In a layout effect, so that a key pressed now already belongs to the dialog.
  useLayoutEffect(() => {
    if (!dialog) return
    useOpenDialogs.setState([...useOpenDialogs.getState(), dialog], true)
    return () =>
      useOpenDialogs.setState(
        useOpenDialogs.getState().filter((other) => other !== dialog),
        true,
      )
  }, [dialog])
  return setDialog
}

/** Moves the focus to the top dialog, which keeps it inside, or else to the page. */
export function focusPage(): void {
  const pages = [...document.querySelectorAll<HTMLElement>('main')]
  const target = getTopDialog() ?? pages.find((page) => page.checkVisibility())
  target?.focus({ preventScroll: true })
}
