import { type ReactNode, useEffect, useRef } from 'react'

/** True once the first page stands: from then on a new page was chosen by the person, and takes the focus. */
let arrived = false

interface MainProps {
  children: ReactNode
  /** The target of the skip link. */
  id?: string
  className?: string
  /** False while the page is kept, hidden, behind another. */
  shown?: boolean
}

/**
 * The main landmark. A page that replaces another takes the focus and starts at its top, so that keyboards and
 * screen readers go on at its beginning.
 */
export function Main({ children, id = 'main', className = '', shown = true }: MainProps) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!shown) return
    if (arrived) {
      window.scrollTo(0, 0)
      element.current?.focus({ preventScroll: true })
    }
    arrived = true
  }, [shown])
  return (
    <main ref={element} id={id} tabIndex={-1} className={`outline-none ${className}`}>
      {children}
    </main>
  )
}
