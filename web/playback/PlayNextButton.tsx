import { useDeferredValue } from 'react'
import { songName } from '../../contract/isolateName.ts'
import type { Song } from '../../contract/shapes.ts'
import { ListPlus } from '../ui/laterIcons.ts'
import { toast } from '../ui/toast.ts'
import { usePlayback, useQueue } from './PlaybackProvider.tsx'
import { getCurrentSong } from './queueState.ts'

/** Puts the song after the current one of the queue; nothing without a queue (library-31). */
export function PlayNextButton({ song, className }: { song: Song; className: string }) {
  const { queue } = usePlayback()
  // Of every tile at once: the first song of a queue must not wait for them.
  const hasQueue = useDeferredValue(useQueue(({ songs }) => songs.length > 0))
  // The button stays, because it may have the focus.
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
