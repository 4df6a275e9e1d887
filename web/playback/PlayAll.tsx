import { useEffect, useRef } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { Button } from '../ui/Button.tsx'
import { Play, Shuffle } from '../ui/laterIcons.ts'
import { usePlayback } from './PlaybackProvider.tsx'
import { tellMissing } from './queue.ts'
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
  const latest = useRef(0)
  async function play(how: 'all' | 'shuffled') {
    latest.current += 1
    const press = latest.current
    try {
      const [found, { shuffle: mix }] = [await songs(), await queue.preload()]
      if (press === latest.current) queue.send({ type: 'start', songs: how === 'all' ? found : mix(found) })
    } catch {
      tellMissing()
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
