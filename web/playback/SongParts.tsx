import type { ReactNode, Ref } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { usePlayback } from './PlaybackProvider.tsx'
import type { Phase } from './playbackState.ts'

/* Parts of the rows in lists of songs. */

interface PlayableArtProps {
  song: Song
  /** Null when it is not the current song. */
  phase: Phase | null
  className: string
  /** False until the names are painted. */
  isPainted?: boolean
  ref?: Ref<HTMLButtonElement>
  /** An icon that marks it as a button. */
  children: ReactNode
}

/** The art of a song; pressing it plays or pauses the song. */
export function PlayableArt({ song, phase, className, isPainted = true, ref, children }: PlayableArtProps) {
  const { select } = usePlayback()
  return (
    <button
      ref={ref}
      type="button"
      aria-label={`${phase === 'playing' ? 'Pause' : 'Play'} ${song.title}`}
      onClick={() => select(song, { announce: true })}
      className={`relative block ${className}`}
    >
      {isPainted && <AlbumArt title={song.title} art={song.albumArt} color={song.color} />}
      {children}
    </button>
  )
}

/** Title, artist and microgenre. */
export function SongNames({ song }: { song: Song }) {
  return (
    <span className="grid">
      <b dir="auto" className="line-clamp-2 text-left font-semibold wrap-anywhere">
        {song.title}
      </b>
      <span className="line-clamp-2 text-xs text-ink-2 wrap-anywhere">
        <bdi>{song.artist}</bdi> · <bdi className="text-accent">{song.microgenre}</bdi>
      </span>
    </span>
  )
}
