import { useEffect, useLayoutEffect } from 'react'
import { songName } from '../../contract/isolateName.ts'
import type { VisitorSong } from '../../contract/visitors.ts'
import { MiniPlayerBar } from '../playback/MiniPlayer.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { shouldPlay } from '../playback/playbackState.ts'
import { emptyQueue } from '../playback/queueState.ts'
import { VideoFrame } from '../playback/VideoFrame.tsx'
import { PlayerBar } from '../ui/page/Main.tsx'
import './visitors.css'
import { toSong, VisitorPlayback } from './VisitorPlayback.tsx'
import { useVisitorPlayer } from './visitorPlayer.ts'

interface VisitorQueueProps {
  list: { songs: readonly VisitorSong[]; at: number }
}

/** The bar and the video of VisitorPlayer. Another list starts at once. */
export const VisitorQueue = (props: VisitorQueueProps) => (
  <VisitorPlayback>
    <Queue {...props} />
    <VideoFrame />
    <PlayerBar>
      <MiniPlayerBar active />
    </PlayerBar>
  </VisitorPlayback>
)

function Queue({ list }: VisitorQueueProps) {
  const playback = usePlayback()
  const song = usePlaybackState((state) => state.song)
  const isPlaying = usePlaybackState(shouldPlay)
  const id = song?.id
  useEffect(
    () => useVisitorPlayer.setState({ current: id ? { id, isPlaying } : null, toggle: playback.toggle }),
    [id, isPlaying, playback],
  )
  // At the press, whose sound browsers allow.
  useLayoutEffect(() => {
    playback.enableSound()
    const queue = { ...emptyQueue, songs: list.songs.map(toSong), at: list.at, shouldResume: true }
    playback.queue.send({ type: 'restored', queue, shouldWait: false })
  }, [list, playback])
  // The bar and the video would cover what was pressed.
  const hasBar = song !== null
  useEffect(() => {
    if (hasBar) document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [hasBar])
  return (
    <p role="status" data-visitors="" className="sr-only">
      {song && `Now playing ${songName(song)}`}
    </p>
  )
}
