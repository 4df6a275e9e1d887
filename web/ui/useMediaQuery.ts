import { useSyncExternalStore } from 'react'

/** Whether a media query matches, kept up to date. */
export function useMediaQuery(media: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(media)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => matchMedia(media).matches,
  )
}

/** A desktop at 400 %, as the variant `tiny` of ui/style.css. */
export const TINY_SCREEN = '(max-width: 33.6875rem) and (max-height: 419px)'

/** As the variant `keys` of ui/style.css. */
export function hasKeyboard(): boolean {
  return matchMedia('(hover: hover) and (pointer: fine)').matches
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
