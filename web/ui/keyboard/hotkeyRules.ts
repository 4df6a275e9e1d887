/** The part of a KeyboardEvent that decides whether it is a shortcut. */
export interface KeyPress {
  key: string
  code: string
  repeat: boolean
  ctrlKey: boolean
  altKey: boolean
  metaKey: boolean
  defaultPrevented: boolean
  /** The focus came by click or touch, not by Tab. */
  byPointer: boolean
  /** The focused element. */
  target: FocusedElement | null
}

/** The part of an element that the rules use. */
export interface FocusedElement {
  isContentEditable: boolean
  matches(selector: string): boolean
  closest(selector: string): unknown
}

/**
 * The key of a shortcut, or null when the press is not one: while typing, with Ctrl, Alt or Meta, on key repeat, and
 * when a control reached by Tab needs the key itself (screens-6). Letters are in lower case; the space bar is ' '.
 */
export function findHotkey(press: KeyPress): string | null {
  if (press.repeat || press.ctrlKey || press.altKey || press.metaKey || press.defaultPrevented) return null
  if (press.target && isKeyOfTarget(press, press.target)) return null
  return normalizeKey(press)
}

/**
 * The Latin letter, digit or other key that was meant. Where the layout prints another character, the place counts:
 * Cyrillic on letters, é or & on digits. Not for punctuation on letters, because a French M is elsewhere.
 */
export function normalizeKey({ key, code }: Pick<KeyPress, 'key' | 'code'>): string {
  if (key.length > 1) return key
  if (/[?؟？՞፧]/.test(key)) return '?'
  const character = key.toLowerCase()
  if (/[a-z\d]/.test(character)) return character
  const codeMatch = (/[\p{L}\p{M}]/u.test(key) ? /^(?:Digit|Key)(.)$/ : /^Digit(.)$/).exec(code)
  return codeMatch?.[1]?.toLowerCase() ?? character
}

/** The name of a shortcut's key on a layout: what is printed at its place, unless its character is at another. */
export function printedKey(name: string, layout: ReadonlyMap<string, string> | undefined): string {
  if (!layout || [...layout.values()].includes(name.toLowerCase())) return name
  return layout.get(/\d/.test(name) ? `Digit${name}` : `Key${name}`)?.toUpperCase() ?? name
}

/** Whether it is a control that handles keys, not a text field and not a focused region. */
export function isControl(target: FocusedElement): boolean {
  return !isTyping(target) && Boolean(target.closest(`${pressableSelector}, ${arrowKeySelector}`))
}

function isKeyOfTarget({ key, byPointer }: KeyPress, target: FocusedElement): boolean {
  if (isTyping(target)) return true
  if (byPointer) return false
  if (key === ' ' || key === 'Enter') return Boolean(target.closest(pressableSelector))
  if (key.startsWith('Arrow')) return Boolean(target.closest(arrowKeySelector))
  return false
}

function isTyping(target: FocusedElement): boolean {
  return target.isContentEditable || (target.matches(fieldSelector) && !target.matches(textlessFieldSelector))
}

const fieldSelector = 'input, textarea, select'
const textlessFieldSelector = '[type=range], [type=checkbox], [type=radio]'
const pressableSelector =
  'button, a[href], summary, video, audio, [type=checkbox], [type=radio], [role=button], [role=link], [role=tab], [role=switch], [role=checkbox], [role=radio], [role^=menuitem], [role=option]'
const arrowKeySelector =
  '[type=range], [type=radio], [role=tablist], [role=radiogroup], [role=menu], [role=listbox], [role=slider], [role=grid]'
