import type { Rating } from '../../contract/shapes.ts'
import { DEFER_FADE_TIME, FEEDBACK_TIME } from './discoveryState.ts'

/** Animates the art out from where it is, right for banger and left for bust. Returns a function that reverses it. */
export function swipeOut(art: HTMLElement, rating: Rating): () => void {
  const pulled = art.style.transform || 'none'
  art.style.transform = ''
  if (prefersStillness()) return () => {}
  const side = rating === 'banger' ? 1 : -1
  const leaving = art.animate(
    [{ transform: pulled }, { transform: `translateX(${side * 110}vw) rotate(${side * 22}deg)` }],
    { duration: FEEDBACK_TIME, easing: 'cubic-bezier(0.3, 0, 0.8, 0.6)', fill: 'forwards' },
  )
  return () => leaving.cancel()
}

/** Animates the art of a song that is put off: it sinks and fades. Returns a function that reverses it. */
export function sink(art: HTMLElement): () => void {
  const pulled = art.style.transform || 'none'
  art.style.transform = ''
  if (prefersStillness()) return () => {}
  const sinking = art.animate([{ transform: pulled }, { transform: 'translateY(24px)', opacity: 0 }], {
    duration: DEFER_FADE_TIME,
    easing: 'ease-in',
    fill: 'forwards',
  })
  return () => sinking.cancel()
}

/** Animates the next art in: from the side opposite to the last verdict, the first one from below. */
export function swipeIn(art: HTMLElement, last: Rating | null): () => void {
  if (prefersStillness()) return () => {}
  const from = last ? `translateX(${last === 'banger' ? -40 : 40}%)` : 'translateY(6%) scale(0.94)'
  const coming = art.animate(
    [
      { transform: from, opacity: 0 },
      { transform: 'none', opacity: 1 },
    ],
    { duration: 300, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' },
  )
  return () => coming.cancel()
}

export function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
