import { type Ref, useLayoutEffect, useState } from 'react'
import { createStore, useStore } from './store.ts'

/** The open dialogs, the top one last. */
const openDialogs = createStore<readonly HTMLElement[]>([])

export const getTopDialog = (): HTMLElement | undefined => openDialogs.state().at(-1)

export const isDialogOpen = (): boolean => getTopDialog() !== undefined

export const useIsDialogOpen = (): boolean => useStore(openDialogs, (dialogs) => dialogs.length > 0)

/** Returns the ref of a dialog, which counts as open while its element exists. */
export function useRegisterDialog(): Ref<HTMLDivElement> {
  const [dialog, setDialog] = useState<HTMLElement | null>(null)
  // In a layout effect, so that a key pressed now already belongs to the dialog.
  useLayoutEffect(() => {
    if (!dialog) return
    openDialogs.set([...openDialogs.state(), dialog])
    return () => openDialogs.set(openDialogs.state().filter((other) => other !== dialog))
  }, [dialog])
  return setDialog
}
