import type { Rating } from '../../contract/shapes.ts'
import { prefersStillness } from './swipe.ts'

/** The way to a verdict, as a share of the art's width. */
const THRESHOLD = 0.35
/** Or a flick, in px per ms. */
const FLICK = 0.5
/** Px before it counts as a pull: less is a tap. */
const SLACK = 10
const TILT = 8

interface Pull {
  pointer: number
  x: number
  width: number
  /** The last move, for the speed. */
  last: { x: number; at: number; speed: number }
  isPast: boolean
}

interface PullOptions {
  canPull: () => boolean
  onVerdict: (rating: Rating) => void
}

/**
 * Lets a finger pull the art to a verdict: right for banger, left for bust. The art follows, `--pull` on the stage
 * (-1 to 1) fills the key on that side, and the phone ticks once at the threshold. Below it the art springs back.
 * A mouse pulls nothing. Returns a function that removes the listeners.
 */
export function followFinger(art: HTMLElement, { canPull, onVerdict }: PullOptions): () => void {
  const stage = art.closest<HTMLElement>('[data-stage]')
  const listening = new AbortController()
  let pull: Pull | null = null

  function show(way: number, share: number) {
    stage?.style.setProperty('--pull', String(Math.max(-1, Math.min(1, share / THRESHOLD))))
    if (prefersStillness()) return
    art.style.transform = `translateX(${way}px) rotate(${Math.max(-1, Math.min(1, share)) * TILT}deg)`
  }

  function release() {
    stage?.style.removeProperty('--pull')
    pull = null
  }

  function springBack() {
    const from = art.style.transform
    art.style.transform = ''
    if (from) art.animate([{ transform: from }, { transform: 'none' }], { duration: 200, easing: 'ease-out' })
    release()
  }

  function onDown({ pointerId, pointerType, isPrimary, clientX, timeStamp }: PointerEvent) {
    if (pointerType === 'mouse' || !isPrimary || !canPull()) return
    const last = { x: clientX, at: timeStamp, speed: 0 }
    pull = { pointer: pointerId, x: clientX, width: art.offsetWidth, last, isPast: false }
  }

  function onMove({ pointerId, clientX, timeStamp }: PointerEvent) {
    if (pull?.pointer !== pointerId) return
    const way = clientX - pull.x
    const time = timeStamp - pull.last.at
    if (time > 0) pull.last = { x: clientX, at: timeStamp, speed: (clientX - pull.last.x) / time }
    const share = way / pull.width
    const isPast = Math.abs(share) >= THRESHOLD
    if (isPast && !pull.isPast) navigator.vibrate?.(10)
    pull.isPast = isPast
    show(way, share)
  }

  function onUp({ pointerId, clientX }: PointerEvent) {
    if (pull?.pointer !== pointerId) return
    const way = clientX - pull.x
    const { isPast, last } = pull
    // A flick back is no verdict.
    const isFlick = Math.abs(last.speed) > FLICK && Math.sign(last.speed) === Math.sign(way)
    if (Math.abs(way) > SLACK) art.addEventListener('click', stopClick, { capture: true, once: true })
    // The click of this touch, if there is one, comes before the next task.
    setTimeout(() => art.removeEventListener('click', stopClick, { capture: true }))
    if ((!isPast && !(isFlick && Math.abs(way) > SLACK)) || !canPull()) return springBack()
    release()
    onVerdict(way > 0 ? 'banger' : 'bust')
  }

  const options = { signal: listening.signal }
  art.addEventListener('pointerdown', onDown, options)
  art.addEventListener('pointermove', onMove, options)
  art.addEventListener('pointerup', onUp, options)
  // The browser scrolls instead.
  art.addEventListener('pointercancel', springBack, options)
  return () => {
    listening.abort()
    release()
  }
}

function stopClick(event: Event): void {
  event.stopPropagation()
  event.preventDefault()
}
