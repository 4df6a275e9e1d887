import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Rating } from '../../contract/shapes.ts'
import { PlaybackIcon, playbackLabel } from '../playback/PlaybackIcon.tsx'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { canToggle, shownPhaseOf, showsVideo } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { useStore } from '../ui/store.ts'
import { withoutThumbnail } from '../ui/thumbnail.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { canRate, shownSong, verdict } from './discoveryState.ts'
import { prefersStillness, sink, swipeIn, swipeOut } from './swipe.ts'

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
  const song = useStore(discovery, shownSong)
  /** Null for 'Not now'; undefined while it stays. */
  const leaving = useStore(discovery, (state) => verdict(state)?.rating)
  const id = song?.id
  const current = usePlaybackState((state) => shownPhaseOf(state, id))
  const phase = song ? (current ?? 'paused') : hasFailed ? 'silent' : 'loading'
  const hasControl = usePlaybackState((state) => state.song?.id !== id || canToggle(state))
  // Never the same picture twice: the video shows it already.
  const isVideoShown = usePlaybackState(showsVideo)
  const albumArt = song?.albumArt ?? null
  const art = isVideoShown ? withoutThumbnail(albumArt) : albumArt
  const usable = song !== null && leaving === undefined && hasControl

  useLayoutEffect(() => {
    if (leaving === undefined || !button.current) return
    lastVerdict.current = leaving
    return leaving ? swipeOut(button.current, leaving) : sink(button.current)
  }, [leaving])

  useLayoutEffect(() => {
    if (!id || !button.current) return
    const last = lastVerdict.current
    lastVerdict.current = null
    return swipeIn(button.current, last)
  }, [id])

  useEffect(() => {
    if (!button.current) return
    return followFinger(button.current, {
      canSwipe: () => canRate(discovery.state()),
      onVerdict: (rating) => discovery.rate(rating),
      onNotNow: discovery.deferSong,
    })
  }, [discovery])

  return (
    <button
      ref={button}
      type="button"
      aria-label={playbackLabel(phase)}
      aria-disabled={!usable || undefined}
      aria-keyshortcuts="Space"
      onClick={() => usable && onToggle()}
      className={`art relative block size-full ${usable ? '' : 'cursor-default'}`}
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
function followFinger(
  art: HTMLElement,
  { canSwipe: canPull, onVerdict, onNotNow }: SwipeOptions,
): () => void {
  const stage = art.closest<HTMLElement>('[data-stage]')
  const listening = new AbortController()
  let pull: Swipe | null = null

  function show(way: number, up: number, share: number) {
    stage?.style.setProperty('--pull', String(Math.max(-1, Math.min(1, share / SWIPE_THRESHOLD))))
    if (prefersStillness()) return
    art.style.transform = `translate(${way}px, ${-Math.max(0, up)}px) rotate(${Math.max(-1, Math.min(1, share)) * MAX_TILT}deg)`
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

  function onDown({ pointerId, pointerType, isPrimary, clientX, clientY, timeStamp }: PointerEvent) {
    if (pointerType === 'mouse' || !isPrimary || !canPull()) return
    const last = { x: clientX, y: clientY, at: timeStamp, speed: 0, rise: 0 }
    pull = { pointer: pointerId, x: clientX, y: clientY, width: art.offsetWidth, last, isPast: false }
  }

  function onMove({ pointerId, clientX, clientY, timeStamp }: PointerEvent) {
    if (pull?.pointer !== pointerId) return
    const way = clientX - pull.x
    const time = timeStamp - pull.last.at
    if (time > 0) {
      const { x, y } = pull.last
      const [speed, rise] = [(clientX - x) / time, (y - clientY) / time]
      pull.last = { x: clientX, y: clientY, at: timeStamp, speed, rise }
    }
    const up = pull.y - clientY
    // A way that is mostly upwards fills no key.
    const share = up > Math.abs(way) ? 0 : way / pull.width
    const isPast = Math.max(Math.abs(share), up / pull.width) >= SWIPE_THRESHOLD
    if (isPast && !pull.isPast) navigator.vibrate?.(10)
    pull.isPast = isPast
    show(way, up, share)
  }

  function onUp({ pointerId, clientX, clientY }: PointerEvent) {
    if (pull?.pointer !== pointerId) return
    const way = clientX - pull.x
    const up = pull.y - clientY
    const isUp = up > Math.abs(way)
    const { isPast, last } = pull
    // A flick back is no verdict.
    const isFlick = isUp
      ? last.rise > MIN_FLICK_SPEED
      : Math.abs(last.speed) > MIN_FLICK_SPEED && Math.sign(last.speed) === Math.sign(way)
    const isPull = Math.max(Math.abs(way), up) > TOUCH_SLOP
    if (isPull) art.addEventListener('click', stopClick, { capture: true, once: true })
    // The click of this touch, if there is one, comes before the next task.
    setTimeout(() => art.removeEventListener('click', stopClick, { capture: true }))
    if (!(isPast || (isFlick && isPull)) || !canPull()) return springBack()
    release()
    if (isUp) onNotNow()
    else onVerdict(way > 0 ? 'banger' : 'bust')
  }

  const options = { signal: listening.signal }
  // Two fingers zoom, wherever the second one is.
  window.addEventListener('pointerdown', ({ isPrimary }) => !isPrimary && pull && springBack(), options)
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
