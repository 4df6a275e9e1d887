import { useDeferredValue, useEffect, useRef } from 'react'
import { songName } from '../../contract/isolateName.ts'
import type { Song } from '../../contract/shapes.ts'
import { Button } from '../ui/controls/Button.tsx'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { ListPlus, Play, Shuffle } from '../ui/laterIcons.ts'
import { toast } from '../ui/toast.ts'
import { usePlayback, usePlaybackEngine, useQueue } from './PlaybackProvider.tsx'
import { toastQueueUnavailable } from './queueControls.ts'
import { getCurrentSong } from './queueState.ts'

interface PlayAllProps {
  /** In the order of play; a promise if they have to be requested. */
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
    <div className="flex flex-none gap-2">
      <Button variant="main" disabled={disabled} onClick={() => void play('all')} className="max-wide:px-3">
        <Play />
        Play all
      </Button>
      <Button disabled={disabled} onClick={() => void play('shuffled')} className="max-wide:px-3">
        <Shuffle />
        <span className="max-[26rem]:sr-only">Shuffle</span>
      </Button>
    </div>
  )
}

/** Inserts the song after the queue's current one. Without a queue there is no button (library-31). */
export function PlayNextButton({ song, className }: { song: Song; className: string }) {
  const { queue } = usePlayback()
  // Deferred, because every tile has one, and the first song of a queue must not wait for them.
  const hasQueue = useDeferredValue(useQueue(({ songs }) => songs.length > 0))
  // The button is disabled instead of removed, because it may have the focus.
  const isCurrent = useQueue((state) => getCurrentSong(state)?.id === song.id)
  if (!hasQueue) return null
  const playNext = () => {
    queue.send({ type: 'play-next', song })
    toast({ title: 'Plays next', description: songName(song), tone: 'success' })
  }
  return (
    <button
      type="button"
      aria-label={`Play next: ${song.title}`}
      title="Play next"
      aria-disabled={isCurrent || undefined}
      onClick={isCurrent ? undefined : playNext}
      className={className}
    >
      <ListPlus />
    </button>
  )
}

/** Functions, and the keys N and P, for the next and the previous song of the queue (playback-41). */
export function useQueueSteps(active: boolean) {
  const { queue } = usePlayback()
  const engine = usePlaybackEngine()
  const hasQueue = useQueue(({ songs }) => songs.length > 0)
  const next = () => queue.send({ type: 'next' })
  const previous = () => queue.send({ type: 'previous', seconds: engine.position() })
  useHotkeys({ n: next, p: previous }, { enabled: active && hasQueue })
  return { next, previous }
}
