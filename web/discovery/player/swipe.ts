import type { Rating } from '../../../contract/shapes.ts'
import { prefersReducedMotion } from '../../ui/useMediaQuery.ts'
import { DEFER_FADE_TIME, FEEDBACK_TIME, type Verdict } from '../engine/discoveryState.ts'

/**
 * Animates the art out from where it is: right for banger, left for bust, down for 'Not now'. Returns a function that
 * reverses it.
 */
export function swipeOut(art: HTMLElement, verdict: Verdict): () => void {
  const from = art.style.transform || 'none'
  art.style.transform = ''
  const side = verdict === 'banger' ? 1 : -1
  return verdict
    ? animate(
        art,
        [{ transform: from }, { transform: `translateX(${side * 110}vw) rotate(${side * 22}deg)` }],
        { duration: FEEDBACK_TIME, easing: 'cubic-bezier(0.3, 0, 0.8, 0.6)', fill: 'forwards' },
      )
    : animate(art, [{ transform: from }, { transform: 'translateY(24px)', opacity: 0 }], {
        duration: DEFER_FADE_TIME,
        easing: 'ease-in',
        fill: 'forwards',
      })
}

/** Animates the next art in: from the side opposite to the last rating, the first one from below. */
export function swipeIn(art: HTMLElement, lastVerdict: Verdict): () => void {
  const from = lastVerdict
    ? `translateX(${lastVerdict === 'banger' ? -40 : 40}%)`
    : 'translateY(6%) scale(0.94)'
  return animate(
    art,
    [
      { transform: from, opacity: 0 },
      { transform: 'none', opacity: 1 },
    ],
    { duration: 300, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' },
  )
}

function animate(art: HTMLElement, keyframes: Keyframe[], options: KeyframeAnimationOptions): () => void {
  if (prefersReducedMotion()) return () => {}
  const animation = art.animate(keyframes, options)
  return () => animation.cancel()
}

/** The length of a swipe that rates, as a share of the art's width. */
const SWIPE_THRESHOLD = 0.35
/** The speed of a shorter one that rates, in px per ms. */
const MIN_FLICK_SPEED = 0.5
/** Px; less is a tap. */
const TOUCH_SLOP = 10
/** Degrees. */
const MAX_TILT = 8

interface Swipe {
  pointerId: number
  startX: number
  startY: number
  width: number
  lastMove: PointerMove
  isPastThreshold: boolean
}

interface PointerMove {
  x: number
  y: number
  time: number
  speedX: number
  speedUp: number
}

interface SwipeOptions {
  canSwipe: () => boolean
  onRating: (rating: Rating) => void
  onNotNow: () => void
}

/**
 * Touch gestures on the art: right for banger, left for bust, up for 'Not now'. The art follows the finger, `--swipe`
 * on the stage (-1 to 1) fills the pad on that side, and the phone vibrates once at the threshold. A shorter swipe
 * springs back. Returns a function that removes the listeners.
 */
export function listenForSwipes(
  art: HTMLElement,
  { canSwipe, onRating, onNotNow }: SwipeOptions,
): () => void {
  const stage = art.closest<HTMLElement>('[data-stage]')
  const abortController = new AbortController()
  let swipe: Swipe | null = null

  function moveArt(deltaX: number, deltaUp: number, share: number) {
    stage?.style.setProperty('--swipe', String(clamp(share / SWIPE_THRESHOLD)))
    if (prefersReducedMotion()) return
    art.style.transform = `translate(${deltaX}px, ${-Math.max(0, deltaUp)}px) rotate(${clamp(share) * MAX_TILT}deg)`
  }

  function endSwipe() {
    stage?.style.removeProperty('--swipe')
    swipe = null
  }

  function springBack() {
    const from = art.style.transform
    art.style.transform = ''
    if (from) art.animate([{ transform: from }, { transform: 'none' }], { duration: 200, easing: 'ease-out' })
    endSwipe()
  }

  function onDown({ pointerId, pointerType, isPrimary, clientX, clientY, timeStamp }: PointerEvent) {
    if (pointerType === 'mouse' || !isPrimary || !canSwipe()) return
    const lastMove = { x: clientX, y: clientY, time: timeStamp, speedX: 0, speedUp: 0 }
    const width = art.offsetWidth
    swipe = { pointerId, startX: clientX, startY: clientY, width, lastMove, isPastThreshold: false }
  }

  function onMove({ pointerId, clientX, clientY, timeStamp }: PointerEvent) {
    if (swipe?.pointerId !== pointerId) return
    const { x, y, time } = swipe.lastMove
    const elapsed = timeStamp - time
    if (elapsed > 0) {
      const [speedX, speedUp] = [(clientX - x) / elapsed, (y - clientY) / elapsed]
      swipe.lastMove = { x: clientX, y: clientY, time: timeStamp, speedX, speedUp }
    }
    const deltaX = clientX - swipe.startX
    const deltaUp = swipe.startY - clientY
    // A swipe that is mostly upwards fills no pad.
    const share = deltaUp > Math.abs(deltaX) ? 0 : deltaX / swipe.width
    const isPastThreshold = Math.max(Math.abs(share), deltaUp / swipe.width) >= SWIPE_THRESHOLD
    if (isPastThreshold && !swipe.isPastThreshold) navigator.vibrate?.(10)
    swipe.isPastThreshold = isPastThreshold
    moveArt(deltaX, deltaUp, share)
  }

  function onUp({ pointerId, clientX, clientY }: PointerEvent) {
    if (swipe?.pointerId !== pointerId) return
    const deltaX = clientX - swipe.startX
    const deltaUp = swipe.startY - clientY
    const isUp = deltaUp > Math.abs(deltaX)
    const { isPastThreshold, lastMove } = swipe
    const { speedX, speedUp } = lastMove
    // A flick in the opposite direction rates nothing.
    const isFlick = isUp
      ? speedUp > MIN_FLICK_SPEED
      : Math.abs(speedX) > MIN_FLICK_SPEED && Math.sign(speedX) === Math.sign(deltaX)
    const isTap = Math.max(Math.abs(deltaX), deltaUp) <= TOUCH_SLOP
    if (!isTap) art.addEventListener('click', suppressClick, { capture: true, once: true })
    // The click of this touch, if there is one, comes before the next task.
    setTimeout(() => art.removeEventListener('click', suppressClick, { capture: true }))
    if (!(isPastThreshold || (isFlick && !isTap)) || !canSwipe()) return springBack()
    endSwipe()
    if (isUp) onNotNow()
    else onRating(deltaX > 0 ? 'banger' : 'bust')
  }

  const options = { signal: abortController.signal }
  // Two fingers zoom, wherever the second one is.
  window.addEventListener('pointerdown', ({ isPrimary }) => !isPrimary && swipe && springBack(), options)
  art.addEventListener('pointerdown', onDown, options)
  art.addEventListener('pointermove', onMove, options)
  art.addEventListener('pointerup', onUp, options)
  // The browser scrolls instead.
  art.addEventListener('pointercancel', springBack, options)
  return () => {
    abortController.abort()
    endSwipe()
  }
}

/** Between -1 and 1. */
const clamp = (share: number) => Math.max(-1, Math.min(1, share))

function suppressClick(event: Event): void {
  event.stopPropagation()
  event.preventDefault()
}
