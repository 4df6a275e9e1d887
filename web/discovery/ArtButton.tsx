import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Rating } from '../../contract/shapes.ts'
import { PlaybackIcon, playbackLabel } from '../playback/PlaybackIcon.tsx'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { canToggle, getShownPhase, showsVideo } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { useDeferredStore } from '../ui/renderAfterPaint.ts'
import { withoutThumbnails } from '../ui/thumbnail.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { canRate, shownSong, shownVerdict } from './discoveryState.ts'
import { prefersReducedMotion, sinkOut, swipeIn, swipeOut } from './swipe.ts'

interface ArtButtonProps {
  discovery: DiscoveryEngine
  /** Loading failed: no song follows before a retry. */
  hasFailed: boolean
  onToggle: () => void
}

/**
 * The record between the pads: plays and pauses its song. A finger pulls it to a verdict. It leaves with the rating,
 * and the next one comes in.
 */
export function ArtButton({ discovery, hasFailed, onToggle }: ArtButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const lastVerdict = useRef<Rating | null>(null)
  const song = useDeferredStore(discovery, shownSong)
  /** Null for 'Not now'; undefined while it stays. */
  const verdictRating = useDeferredStore(discovery, (state) => shownVerdict(state)?.rating)
  const id = song?.id
  const current = usePlaybackState((state) => getShownPhase(state, id))
  const phase = song ? (current ?? 'paused') : hasFailed ? 'silent' : 'loading'
  const hasControl = usePlaybackState((state) => state.song?.id !== id || canToggle(state))
  // Never the same picture twice: the video shows it already.
  const isVideoShown = usePlaybackState(showsVideo)
  const albumArt = song?.albumArt ?? null
  const art = isVideoShown ? withoutThumbnails(albumArt) : albumArt
  const isUsable = song !== null && verdictRating === undefined && hasControl

  useLayoutEffect(() => {
    if (verdictRating === undefined || !button.current) return
    lastVerdict.current = verdictRating
    return verdictRating ? swipeOut(button.current, verdictRating) : sinkOut(button.current)
  }, [verdictRating])

  useLayoutEffect(() => {
    if (!id || !button.current) return
    const last = lastVerdict.current
    lastVerdict.current = null
    return swipeIn(button.current, last)
  }, [id])

  useEffect(() => {
    if (!button.current) return
    return listenForSwipes(button.current, {
      canSwipe: () => canRate(discovery.getState()),
      onVerdict: (rating) => discovery.rate(rating),
      onNotNow: discovery.deferSong,
    })
  }, [discovery])

  return (
    <button
      ref={button}
      type="button"
      aria-label={playbackLabel(phase)}
      aria-disabled={!isUsable || undefined}
      aria-keyshortcuts="Space"
      onClick={() => isUsable && onToggle()}
      className={`art relative block size-full ${isUsable ? '' : 'cursor-default'}`}
    >
      {song ? (
        <span className={`block size-full ${phase === 'silent' ? 'opacity-28 grayscale' : ''}`}>
          <AlbumArt title={song.title} art={art} color={song.color} loading="eager" />
        </span>
      ) : (
        <span className="block size-full rounded-art bg-[color-mix(in_oklab,var(--ink)_6%,var(--accent-wash))]" />
      )}
      <span className={`art-icon ${phase === 'silent' ? 'text-ink-3' : 'text-ink'}`}>
        <PlaybackIcon phase={phase} className="size-6 wide:size-8 low:size-6" />
      </span>
    </button>
  )
}

/** The way to a verdict, as a share of the art's width. */
const SWIPE_THRESHOLD = 0.35
/** Or a flick, in px per ms. */
const MIN_FLICK_SPEED = 0.5
/** Px before it counts as a pull: less is a tap. */
const TOUCH_SLOP = 10
const MAX_TILT = 8

interface Swipe {
  pointer: number
  x: number
  y: number
  width: number
  /** The last move, for the speed. */
  last: PointerMove
  isPast: boolean
}

interface PointerMove {
  x: number
  y: number
  at: number
  /** To the right, and upwards. */
  speed: number
  rise: number
}

interface SwipeOptions {
  canSwipe: () => boolean
  onVerdict: (rating: Rating) => void
  onNotNow: () => void
}

/**
 * Lets a finger pull the art to a verdict: right for banger, left for bust, up for 'Not now'. The art follows, `--pull` on the stage
 * (-1 to 1) fills the key on that side, and the phone ticks once at the threshold. Below it the art springs back.
 * A mouse pulls nothing. Returns a function that removes the listeners.
 */
function listenForSwipes(art: HTMLElement, { canSwipe, onVerdict, onNotNow }: SwipeOptions): () => void {
  const stage = art.closest<HTMLElement>('[data-stage]')
  const abortController = new AbortController()
  let swipe: Swipe | null = null

  function moveArt(deltaX: number, deltaUp: number, share: number) {
    stage?.style.setProperty('--pull', String(Math.max(-1, Math.min(1, share / SWIPE_THRESHOLD))))
    if (prefersReducedMotion()) return
    art.style.transform = `translate(${deltaX}px, ${-Math.max(0, deltaUp)}px) rotate(${Math.max(-1, Math.min(1, share)) * MAX_TILT}deg)`
  }

  function endSwipe() {
    stage?.style.removeProperty('--pull')
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
    const last = { x: clientX, y: clientY, at: timeStamp, speed: 0, rise: 0 }
    swipe = { pointer: pointerId, x: clientX, y: clientY, width: art.offsetWidth, last, isPast: false }
  }

  function onMove({ pointerId, clientX, clientY, timeStamp }: PointerEvent) {
    if (swipe?.pointer !== pointerId) return
    const deltaX = clientX - swipe.x
    const time = timeStamp - swipe.last.at
    if (time > 0) {
      const { x, y } = swipe.last
      const [speed, rise] = [(clientX - x) / time, (y - clientY) / time]
      swipe.last = { x: clientX, y: clientY, at: timeStamp, speed, rise }
    }
    const deltaUp = swipe.y - clientY
    // A way that is mostly upwards fills no key.
    const share = deltaUp > Math.abs(deltaX) ? 0 : deltaX / swipe.width
    const isPast = Math.max(Math.abs(share), deltaUp / swipe.width) >= SWIPE_THRESHOLD
    if (isPast && !swipe.isPast) navigator.vibrate?.(10)
    swipe.isPast = isPast
    moveArt(deltaX, deltaUp, share)
  }

  function onUp({ pointerId, clientX, clientY }: PointerEvent) {
    if (swipe?.pointer !== pointerId) return
    const deltaX = clientX - swipe.x
    const deltaUp = swipe.y - clientY
    const isUp = deltaUp > Math.abs(deltaX)
    const { isPast, last } = swipe
    // A flick back is no verdict.
    const isFlick = isUp
      ? last.rise > MIN_FLICK_SPEED
      : Math.abs(last.speed) > MIN_FLICK_SPEED && Math.sign(last.speed) === Math.sign(deltaX)
    const isPull = Math.max(Math.abs(deltaX), deltaUp) > TOUCH_SLOP
    if (isPull) art.addEventListener('click', suppressClick, { capture: true, once: true })
    // The click of this touch, if there is one, comes before the next task.
    setTimeout(() => art.removeEventListener('click', suppressClick, { capture: true }))
    if (!(isPast || (isFlick && isPull)) || !canSwipe()) return springBack()
    endSwipe()
    if (isUp) onNotNow()
    else onVerdict(deltaX > 0 ? 'banger' : 'bust')
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

function suppressClick(event: Event): void {
  event.stopPropagation()
  event.preventDefault()
}
