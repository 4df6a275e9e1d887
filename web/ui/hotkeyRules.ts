/** What of a KeyboardEvent decides whether a shortcut hears it. */
export interface Press {
  key: string
  repeat: boolean
  ctrlKey: boolean
  altKey: boolean
  metaKey: boolean
  defaultPrevented: boolean
  /** Where the key went: the focused element. */
  target: Focused | null
}

/** What of an element the rules look at. */
export interface Focused {
  isContentEditable: boolean
  matches(selector: string): boolean
  closest(selector: string): unknown
}

/**
 * The name under which a press is looked up, or null when no shortcut may hear it: while typing, with Ctrl, Alt
 * or Meta, on key repeat, and where the focused control has its own use for the key (spec §2, D-40). Letters
 * are in lower case; the space bar is ' '.
 */
export function hotkeyOf(press: Press): string | null {
  if (press.repeat || press.ctrlKey || press.altKey || press.metaKey || press.defaultPrevented) return null
  if (press.target && isTaken(press.key, press.target)) return null
  return press.key.length === 1 ? press.key.toLowerCase() : press.key
}

function isTaken(key: string, target: Focused): boolean {
  if (target.isContentEditable || target.matches(typing)) return true
  if (key === ' ' || key === 'Enter') return Boolean(target.closest(pressable))
  if (key.startsWith('Arrow')) return Boolean(target.closest(steered))
  return false
}

const typing = 'input, textarea, select'
const pressable =
  'button, a[href], summary, video, audio, [role=button], [role=link], [role=tab], [role=switch], [role=checkbox], [role=radio], [role^=menuitem], [role=option], [role=slider]'
const steered = '[role=tablist], [role=radiogroup], [role=menu], [role=listbox], [role=slider], [role=grid]'
