import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Rating } from '../../contract/shapes.ts'
import { PlaybackIcon, playbackLabel } from '../playback/PlaybackIcon.tsx'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { canToggle, shownPhaseOf, showsVideo } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { useStore } from '../ui/store.ts'
import { withoutThumbnail } from '../ui/thumbnail.ts'
import { followFinger } from './artPull.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { canRate, shownSong, verdict } from './discoveryState.ts'
import { sink, swipeIn, swipeOut } from './swipe.ts'

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
      canPull: () => canRate(discovery.state()),
      onVerdict: (rating) => discovery.rate(rating),
      onNotNow: discovery.notNow,
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
