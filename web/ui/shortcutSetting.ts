import { storageKey } from '../api/address.ts'

const KEY = storageKey('shortcuts')

/** Whether single-key shortcuts are on. People who use speech input turn them off (WCAG 2.1.4). */
export function shortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function setShortcutsOn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Without storage the setting lasts as long as the page.
  }
}
