import { useCallback, useLayoutEffect, useRef } from 'react'
import { PlaybackIcon, playbackLabel } from '../../playback/PlaybackIcon.tsx'
import { usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { canToggle, getShownPhase, showsVideo } from '../../playback/playbackState.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { AlbumArt } from '../../ui/art/AlbumArt.tsx'
import { withoutThumbnails } from '../../ui/art/artAddress.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import { canRate, shownSong, shownVerdict, type Verdict } from '../engine/discoveryState.ts'
import { listenForSwipes, swipeIn, swipeOut } from './swipe.ts'

interface ArtButtonProps {
  discovery: DiscoveryEngine
  /** No song loads before a retry. */
  hasFailed: boolean
  onToggle: () => void
}

/** The album art between the pads. A press plays or pauses its song, a swipe rates it. */
export function ArtButton({ discovery, hasFailed, onToggle }: ArtButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const lastVerdict = useRef<Verdict>(null)
  const song = useDeferredStore(discovery, shownSong)
  /** Null for 'Not now'; undefined before a verdict. */
  const verdict = useDeferredStore(discovery, (state) => shownVerdict(state)?.rating)
  const id = song?.id
  const shownPhase = usePlaybackState((state) => getShownPhase(state, id))
  const phase = song ? (shownPhase ?? 'paused') : hasFailed ? 'silent' : 'loading'
  const hasControl = usePlaybackState((state) => state.song?.id !== id || canToggle(state))
  // The video shows its thumbnail already.
  const isVideoShown = usePlaybackState(showsVideo)
  const albumArt = song?.albumArt ?? null
  const art = isVideoShown ? withoutThumbnails(albumArt) : albumArt
  const isUsable = song !== null && verdict === undefined && hasControl

  useLayoutEffect(() => {
    if (verdict === undefined || !button.current) return
    lastVerdict.current = verdict
    return swipeOut(button.current, verdict)
  }, [verdict])

  useLayoutEffect(() => {
    if (!id || !button.current) return
    const last = lastVerdict.current
    lastVerdict.current = null
    return swipeIn(button.current, last)
  }, [id])

  const attach = useCallback(
    (art: HTMLButtonElement) => {
      button.current = art
      return listenForSwipes(art, {
        canSwipe: () => canRate(discovery.getState()),
        onRating: discovery.rate,
        onNotNow: discovery.deferSong,
      })
    },
    [discovery],
  )

  return (
    <button
      ref={attach}
      type="button"
      aria-label={playbackLabel(phase)}
      aria-disabled={!isUsable || undefined}
      aria-keyshortcuts="Space"
      data-silent={phase === 'silent' ? '' : undefined}
      onClick={() => isUsable && onToggle()}
      // It leaves above the reveal, or is gone at once.
      className={`art relative block size-full ${isUsable ? '' : 'cursor-default'} ${verdict === undefined ? '' : 'z-1 motion-reduce:group-has-[.reveal]/record:opacity-0'}`}
    >
      {song ? (
        <span className={`block size-full ${phase === 'silent' ? 'opacity-28 grayscale' : ''}`}>
          <AlbumArt title={song.title} art={art} color={song.color} loading="eager" />
        </span>
      ) : (
        <ArtPlaceholder />
      )}
      <span
        className={`absolute bottom-0 left-0 grid size-12 place-items-center rounded-tr-art bg-accent-wash group-has-[.reveal]/record:invisible wide:size-18 low:size-12 ${phase === 'silent' ? 'text-ink-3' : 'text-ink'}`}
      >
        <PlaybackIcon phase={phase} className="size-6 wide:size-8 low:size-6" />
      </span>
    </button>
  )
}

/** Until the first song is there. */
export const ArtPlaceholder = () => (
  <span className="block size-full rounded-art bg-[color-mix(in_oklab,var(--ink)_6%,var(--accent-wash))]" />
)
