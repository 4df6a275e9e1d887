import type { Rating } from '../../contract/shapes.ts'
import { FEEDBACK_TIME } from './discoveryState.ts'

/** Animates the art out, right for banger and left for bust. Returns a function that reverses it. */
export function swipeOut(art: HTMLElement, rating: Rating): () => void {
  if (prefersStillness()) return () => {}
  const side = rating === 'banger' ? 1 : -1
  const leaving = art.animate(
    [
      { transform: 'none', opacity: 1 },
      { transform: `translateX(${side * 110}vw) rotate(${side * 22}deg)`, opacity: 1 },
    ],
    { duration: FEEDBACK_TIME, easing: 'cubic-bezier(0.5, 0, 0.85, 0.3)', fill: 'forwards' },
  )
  return () => leaving.cancel()
}

/** Animates the next art in. */
export function swipeIn(art: HTMLElement): () => void {
  if (prefersStillness()) return () => {}
  const coming = art.animate(
    [
      { transform: 'translateY(6%) scale(0.94)', opacity: 0 },
      { transform: 'none', opacity: 1 },
    ],
    { duration: 300, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' },
  )
  return () => coming.cancel()
}

export function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
