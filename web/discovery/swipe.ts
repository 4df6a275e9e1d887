import type { Rating } from '../../contract/shapes.ts'
import { DEFER_FADE_TIME, FEEDBACK_TIME } from './discoveryState.ts'

/** Animates the art out from where it is, right for banger and left for bust. Returns a function that reverses it. */
export function swipeOut(art: HTMLElement, rating: Rating): () => void {
  const swipedTransform = art.style.transform || 'none'
  art.style.transform = ''
  if (prefersReducedMotion()) return () => {}
  const side = rating === 'banger' ? 1 : -1
  const animation = art.animate(
    [{ transform: swipedTransform }, { transform: `translateX(${side * 110}vw) rotate(${side * 22}deg)` }],
    { duration: FEEDBACK_TIME, easing: 'cubic-bezier(0.3, 0, 0.8, 0.6)', fill: 'forwards' },
  )
  return () => animation.cancel()
}

/** Animates the art of a song that is put off: it sinks and fades. Returns a function that reverses it. */
export function sinkOut(art: HTMLElement): () => void {
  const swipedTransform = art.style.transform || 'none'
  art.style.transform = ''
  if (prefersReducedMotion()) return () => {}
  const animation = art.animate(
    [{ transform: swipedTransform }, { transform: 'translateY(24px)', opacity: 0 }],
    {
      duration: DEFER_FADE_TIME,
      easing: 'ease-in',
      fill: 'forwards',
    },
  )
  return () => animation.cancel()
}

/** Animates the next art in: from the side opposite to the last verdict, the first one from below. */
export function swipeIn(art: HTMLElement, lastRating: Rating | null): () => void {
  if (prefersReducedMotion()) return () => {}
  const from = lastRating
    ? `translateX(${lastRating === 'banger' ? -40 : 40}%)`
    : 'translateY(6%) scale(0.94)'
  const animation = art.animate(
    [
      { transform: from, opacity: 0 },
      { transform: 'none', opacity: 1 },
    ],
    { duration: 300, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' },
  )
  return () => animation.cancel()
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
