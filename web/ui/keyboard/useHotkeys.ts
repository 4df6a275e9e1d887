import { useEffectEvent, useLayoutEffect } from 'react'
import { storageItem } from '../../api/storageItem.ts'
import { isFocusByPointer } from './focusOrigin.ts'
import { findHotkey, isControl } from './hotkeyRules.ts'
import { isDialogOpen } from './openDialogs.ts'

/** What each key does: `{ ArrowRight: …, ' ': …, u: … }`. */
export type Hotkeys = Record<string, () => void>

/**
 * Page-wide single-key shortcuts. Silent while typing, while a dialog is open, with Ctrl, Alt or Meta, on key
 * repeat, and when the person turned shortcuts off; a control that was reached by Tab keeps its own keys (screens-6).
 */
export function useHotkeys(hotkeys: Hotkeys, { enabled = true }: { enabled?: boolean } = {}): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null
    const { key, code, repeat, ctrlKey, metaKey, defaultPrevented } = event
    const altKey = event.altKey || event.getModifierState('AltGraph')
    const byPointer = isFocusByPointer()
    const name = findHotkey({
      ...{ key, code, repeat, ctrlKey, altKey, metaKey, defaultPrevented },
      ...{ byPointer, target },
    })
    const action = name === null ? undefined : hotkeys[name]
    if (!action || !areShortcutsOn() || isDialogOpen()) return
    event.preventDefault()
    // The repeats of a held key would otherwise go to the control that was clicked last.
    if (byPointer && target && isControl(target)) target.blur()
    action()
  })
  // In a layout effect, because a press right after a render is meant for what it shows.
  useLayoutEffect(() => {
    if (!enabled) return
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [enabled])
}

const setting = storageItem('shortcuts')

/** Whether single-key shortcuts are on. People who use speech input turn them off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => setting.read() !== 'off'

export const setShortcutsOn = (on: boolean): void => setting.save(on ? null : 'off')
