import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { usePlayback, usePlaybackEngine, useQueue } from './PlaybackProvider.tsx'

/** Goes to the next and the previous song of the queue, also by N and P (playback-41). */
export function useQueueSteps(active: boolean) {
  const { queue } = usePlayback()
  const engine = usePlaybackEngine()
  const hasQueue = useQueue(({ songs }) => songs.length > 0)
  const next = () => queue.send({ type: 'next' })
  const previous = () => queue.send({ type: 'previous', seconds: engine.position() })
  useHotkeys({ n: next, p: previous }, { enabled: active && hasQueue })
  return { next, previous }
}
