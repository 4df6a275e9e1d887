import type { ReactNode } from 'react'

/** A key cap, shown only with a keyboard. Decorative unless the text around it needs the key's name. */
export function Kbd({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={`hidden h-6.5 min-w-6.5 place-items-center rounded-[4px] border border-current px-1.5 font-text text-2xs/none font-semibold keys:inline-grid ${className}`}
    >
      {children}
    </kbd>
  )
}
