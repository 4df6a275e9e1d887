import { type RefObject, useLayoutEffect } from 'react'

/**
 * When the page grows or shrinks above an element, it scrolls along, before it is painted: nothing on the screen moves.
 */
export function useSteadyPage(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    const placeOf = () => target.getBoundingClientRect().top + window.scrollY
    let before = placeOf()
    const observer = new ResizeObserver(() => {
      const place = placeOf()
      if (place !== before) window.scrollBy(0, place - before)
      before = place
    })
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
}
