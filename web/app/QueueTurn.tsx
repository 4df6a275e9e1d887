import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect } from 'react'
import { isQueueKept } from '../playback/keptQueue.ts'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { usePlace } from '../ui/place.ts'

/**
 * On Discover a queue waits, elsewhere it goes on, also after a reload (playback-42, playback-44). Rendered after the
 * sections, so that Discover's own song has taken over when the queue gives way.
 */
export function QueueTurn({ home }: { home: boolean }) {
  const { queue } = usePlayback()
  const queryClient = useQueryClient()
  const discovering = usePlace().section === 'discover' && home
  useLayoutEffect(() => {
    if (discovering) queue.enterDiscover()
  }, [queue, discovering])
  useEffect(() => {
    if (discovering) return queue.giveWay()
    queue.leaveDiscover()
    if (!isQueueKept() || !queue.expectKept()) return
    import('./restoreQueue.ts')
      .then(({ restoreQueue }) => restoreQueue(queue, queryClient))
      .catch(() => {})
      .finally(queue.endExpecting)
  }, [queue, queryClient, discovering])
  return null
}
