import { type ReactNode, useEffect, useRef } from 'react'

/** True after the first page: later pages were chosen by the person and take the focus. */
let hasShownPage = false

interface MainProps {
  children: ReactNode
  /** The target of the skip link. */
  id?: string
  className?: string
  /** False while the page stays mounted but hidden. */
  isShown?: boolean
}

/**
 * The main landmark. A new page takes the focus and scrolls to its top, so that keyboards and screen readers start
 * at its beginning.
 */
export function Main({ children, id = 'main', className = '', isShown = true }: MainProps) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isShown) return
    if (hasShownPage) {
      window.scrollTo(0, 0)
      element.current?.focus({ preventScroll: true })
    }
    hasShownPage = true
  }, [isShown])
  return (
    <main ref={element} id={id} tabIndex={-1} className={`outline-none ${className}`}>
      {children}
    </main>
  )
}

/** The first Tab stop: skips the header. */
export function SkipLink({ to = 'main' }: { to?: string }) {
  return (
    <a
      href={`#${to}`}
      className="fixed top-2 left-2 z-(--z-toast) -translate-y-24 rounded-control bg-ink px-4 py-3 font-semibold text-paper focus:translate-y-0"
    >
      Skip to content
    </a>
  )
}

/** The place of the mini-player. It hides what scrolls past below it. */
export const PlayerBar = ({ children }: { children: ReactNode }) => (
  <div
    data-bar=""
    className="wide:not-empty:before:fixed wide:not-empty:before:right-[max(0px,var(--bar-end)-1.5rem)] wide:not-empty:before:bottom-0 wide:not-empty:before:left-0 wide:not-empty:before:z-1 wide:not-empty:before:h-[calc(1.5rem+var(--size-bar)/2)] wide:not-empty:before:bg-paper"
  >
    {children}
  </div>
)
