import { useEffect } from 'react'
import type { VisitorSong } from '../../contract/visitors.ts'
import { PlaybackIcon } from '../playback/PlaybackIcon.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { preloadVisitorPlayer, type VisitorPlayer } from './useVisitorPlayer.tsx'

interface PlayButtonProps {
  /** Of the list, for its accessible name. */
  name: string
  songs: readonly VisitorSong[]
  player: VisitorPlayer
  big?: boolean
}

/** Plays a list from its beginning, and pauses and continues it. */
export function PlayButton({ name, songs, player: { current, play, toggle }, big = false }: PlayButtonProps) {
  useEffect(preloadVisitorPlayer, [])
  const isCurrent = songs.some(({ id }) => id === current?.id)
  const isPlaying = isCurrent && current?.isPlaying
  const label = isPlaying ? 'Pause' : 'Play'
  return (
    <Button
      aria-label={`${label} ${name}`}
      variant={big ? 'accent' : 'outline'}
      size={big ? 'big' : 'normal'}
      onClick={() => (isCurrent ? toggle() : play(songs))}
    >
      <PlaybackIcon phase={isPlaying ? 'playing' : 'paused'} className="size-5" />
      {label}
    </Button>
  )
}
