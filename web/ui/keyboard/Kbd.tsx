import { create } from 'zustand'
import { printedKey } from './hotkeyRules.ts'

/**
 * A key cap, shown only with a keyboard, with the character of the layout where the browser tells it. Decorative unless
 * the text around it needs the key's name.
 */
export function Kbd({ children, className = 'border-current' }: { children: string; className?: string }) {
  const layout = useKeyboardLayout()
  return (
    <kbd
      className={`hidden h-6.5 min-w-6.5 place-items-center rounded-[4px] border px-1.5 font-text text-2xs/none font-semibold keys:inline-grid ${className}`}
    >
      {printedKey(children, layout)}
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
