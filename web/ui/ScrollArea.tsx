import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Milliseconds that the scrollbar stays after scrolling (screens-10). */
const HIDE_DELAY = 600

interface ScrollAreaProps {
  /** It scrolls to its top when this changes. */
  page: number | undefined
  className: string
  children: ReactNode
}

/** A scroll area inside a dialog. Its scrollbar shows only while scrolling. */
export function ScrollArea({ page, className, children }: ScrollAreaProps) {
  const area = useRef<HTMLDivElement>(null)
  const [scrolling, setScrolling] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shown = useRef(page)
  useLayoutEffect(() => {
    // Not when it opens, where it would cost a layout.
    if (shown.current !== page) area.current?.scrollTo(0, 0)
    shown.current = page
  }, [page])
  useEffect(() => () => clearTimeout(timer.current), [])

  function onScroll() {
    setScrolling(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setScrolling(false), HIDE_DELAY)
  }
  return (
    <div ref={area} data-scrolling={scrolling || undefined} onScroll={onScroll} className="scroll-area">
      <div className={className}>{children}</div>
    </div>
  )
}
