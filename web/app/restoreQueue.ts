import type { QueryClient } from '@tanstack/react-query'
import { listTrending } from '../../contract/community.ts'
import type { Song } from '../../contract/shapes.ts'
import { query } from '../api/query.ts'
import { ratingsQuery } from '../library/ratingsQuery.ts'
import type { QueueControls } from '../playback/queueControls.ts'
import { readStoredQueue, rebuildQueue } from '../playback/queueStorage.ts'

/** The queue from before a reload, of the songs that are still rated or trending (playback-44). */
export async function restoreQueue(queue: QueueControls, queryClient: QueryClient): Promise<void> {
  const savedQueue = readStoredQueue()
  if (!savedQueue) return
  const [{ ratings }] = await Promise.all([queryClient.fetchQuery(ratingsQuery), queue.preload()])
  const songs = new Map<string, Song>(ratings.map(({ song }) => [song.id, song]))
  if (savedQueue.ids.some((id) => !songs.has(id)))
    for (const song of await queryClient.fetchQuery(query(listTrending)).catch(() => []))
      songs.set(song.id, song)
  // The listener may have started another one meanwhile.
  if (queue.getState().songs.length > 0) return
  queue.restore(rebuildQueue(savedQueue, (id) => songs.get(id)))
}
