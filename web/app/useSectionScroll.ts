import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Section } from '../ui/place.ts'

/** Brings a section back to where the listener left it (screens-15). Discover begins at its top. */
export function useSectionScroll(section: Section, shown: boolean): void {
  const left = useRef<Partial<Record<Section, number>>>({})
  useLayoutEffect(() => {
    // For this entry of the history: the browser would scroll before the section is there.
    history.scrollRestoration = shown ? 'manual' : 'auto'
  }, [shown])
  // Its cleanup runs before the browser reports that the next, shorter section moved the page.
  useLayoutEffect(() => {
    if (!shown) return
    const remember = () => {
      left.current[section] = window.scrollY
    }
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [section, shown])
  useEffect(() => {
    if (shown) return scrollOnceThere(section === 'discover' ? 0 : (left.current[section] ?? 0))
  }, [section, shown])
}

/** Scrolls now, and again while the section grows, until it is long enough or the listener does something. */
function scrollOnceThere(top: number): () => void {
  const over = new AbortController()
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, top)
    if (window.scrollY >= Math.floor(top)) over.abort()
  })
  over.signal.addEventListener('abort', () => observer.disconnect())
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    window.addEventListener(act, () => over.abort(), { passive: true, signal: over.signal })
  window.scrollTo(0, top)
  if (window.scrollY < Math.floor(top)) observer.observe(document.body)
  else over.abort()
  return () => over.abort()
}
