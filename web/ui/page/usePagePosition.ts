import { type RefObject, useLayoutEffect, useState } from 'react'

interface PagePosition {
  width: number
  top: number
  rem: number
}

/** An element's width, its distance from the top of the page and the size of a rem, in px, kept up to date. */
export function usePagePosition(element: RefObject<HTMLElement | null>): PagePosition {
  const [position, setPosition] = useState({ width: 0, top: 0, rem: 16 })
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    const measure = () => {
      const width = target.clientWidth
      const top = target.getBoundingClientRect().top + window.scrollY
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setPosition((previous) =>
        previous.width === width && previous.top === top && previous.rem === rem
          ? previous
          : { width, top, rem },
      )
    }
    // Before the first paint, and before a parent scrolls the page to where it was.
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return position
}
