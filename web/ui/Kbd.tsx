import type { ReactNode } from 'react'

/** A key cap, shown only with a keyboard. Decorative unless the text around it needs the key's name. */
export function Kbd({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <kbd className={`key-cap ${className}`}>{children}</kbd>
}
