import { create } from 'zustand'
import { printedKey } from './hotkeyRules.ts'

interface KbdProps {
  children: string
  className?: string
  /** Beside the name of a control. It is no text, because the name of a control has all of its text. */
  isHint?: boolean
}

/** A key cap, shown only with a keyboard, with the character of the layout where the browser tells it. */
export function Kbd({ children, className = 'border-current', isHint = false }: KbdProps) {
  const layout = useKeyboardLayout()
  const character = printedKey(children, layout)
  return (
    <kbd
      aria-hidden={isHint || undefined}
      data-key={isHint ? character : undefined}
      className={`hidden h-6.5 min-w-6.5 place-items-center rounded-[4px] border px-1.5 font-text text-2xs/none font-semibold keys:inline-grid ${isHint ? 'before:content-[attr(data-key)]' : ''} ${className}`}
    >
      {!isHint && character}
    </kbd>
  )
}

const useKeyboardLayout = create<ReadonlyMap<string, string> | undefined>(() => undefined)

void globalThis.navigator?.keyboard?.getLayoutMap().then(
  (layout) => useKeyboardLayout.setState(layout, true),
  () => undefined,
)

// Only Chromium has it, and only on https.
declare global {
  interface Navigator {
    keyboard?: { getLayoutMap(): Promise<ReadonlyMap<string, string>> }
  }
}
