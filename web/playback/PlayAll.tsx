import { useEffect, useRef } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Play, Shuffle } from '../ui/laterIcons.ts'
import { usePlayback } from './PlaybackProvider.tsx'
import { toastQueueUnavailable } from './queueControls.ts'
import './queue.css'

interface PlayAllProps {
  /** In the order of play. They may have to be requested. */
  songs: () => readonly Song[] | Promise<readonly Song[]>
  disabled?: boolean
}

/** 'Play all' and 'Shuffle' of a list (playback-40). */
export function PlayAll({ songs, disabled = false }: PlayAllProps) {
  const { queue } = usePlayback()
  useEffect(() => {
    queue.preload().catch(() => {})
  }, [queue])
  const latestPress = useRef(0)
  async function play(order: 'all' | 'shuffled') {
    latestPress.current += 1
    const press = latestPress.current
    try {
      const [loadedSongs, { shuffle }] = [await songs(), await queue.preload()]
      if (press === latestPress.current)
        queue.send({ type: 'start', songs: order === 'all' ? loadedSongs : shuffle(loadedSongs) })
    } catch {
      toastQueueUnavailable()
    }
  }
  return (
    <div className="play-all">
      <Button variant="main" disabled={disabled} onClick={() => void play('all')} className="max-wide:px-3.5">
        <Play />
        Play all
      </Button>
      <Button disabled={disabled} onClick={() => void play('shuffled')} className="max-wide:px-3.5">
        <Shuffle />
        Shuffle
      </Button>
    </div>
  )
}
