import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { songName } from '../../contract/isolateName.ts'
import type { VisitorSong } from '../../contract/visitors.ts'
import type { PlaybackControls } from '../playback/createPlayback.ts'
import { MiniPlayerBar } from '../playback/MiniPlayer.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { shouldPlay } from '../playback/playbackState.ts'
import { emptyQueue } from '../playback/queueState.ts'
import { VideoFrame } from '../playback/VideoFrame.tsx'
import { PlayerBar } from '../ui/page/Main.tsx'
import './visitors.css'
import { toSong, VisitorPlayback } from './VisitorPlayback.tsx'

/** Another object at each press, so that the same list starts again. */
export interface PlayedList {
  songs: readonly VisitorSong[]
  at: number
}

export interface SongInPlay {
  id: string
  isPlaying: boolean
}

interface VisitorQueueProps {
  list: PlayedList
  controls: RefObject<PlaybackControls | null>
  onChange: (current: SongInPlay | null) => void
}

/** The bar and the video of useVisitorPlayer. Another list starts at once. */
export const VisitorQueue = (props: VisitorQueueProps) => (
  <VisitorPlayback>
    <Queue {...props} />
    <VideoFrame />
    <PlayerBar>
      <MiniPlayerBar active />
    </PlayerBar>
  </VisitorPlayback>
)

function Queue({ list, controls, onChange }: VisitorQueueProps) {
  const playback = usePlayback()
  const song = usePlaybackState((state) => state.song)
  const isPlaying = usePlaybackState(shouldPlay)
  const id = song?.id
  useEffect(() => onChange(id ? { id, isPlaying } : null), [id, isPlaying, onChange])
  // At the press, whose sound browsers allow.
  useLayoutEffect(() => {
    controls.current = playback
    playback.enableSound()
    const queue = { ...emptyQueue, songs: list.songs.map(toSong), at: list.at, shouldResume: true }
    playback.queue.send({ type: 'restored', queue, shouldWait: false })
  }, [list, controls, playback])
  return (
    <p role="status" data-visitors="" className="sr-only">
      {song && `Now playing ${songName(song)}`}
    </p>
  )
}
