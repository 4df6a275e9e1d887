import { type RefObject, useLayoutEffect, useState } from 'react'

/** An element's width and its distance from the top of the page in px, kept up to date. */
export function usePlaceOnPage(element: RefObject<HTMLElement | null>): { width: number; top: number } {
  const [place, setPlace] = useState({ width: 0, top: 0 })
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    const look = () => {
      const width = target.clientWidth
      const top = target.getBoundingClientRect().top + window.scrollY
      setPlace((known) => (known.width === width && known.top === top ? known : { width, top }))
    }
    // Before the first paint, and before a parent scrolls the page to where it was.
    look()
    const observer = new ResizeObserver(look)
    observer.observe(target)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return place
}
