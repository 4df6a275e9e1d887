import { storageItem } from '../api/storageItem.ts'

/** Of this tab, so that each tab has its own queue, also after a reload (playback-44). */
export const queueStorage = storageItem('queue', 'tab')

export const isQueueStored = (): boolean => queueStorage.read() !== null

/** When the listener signs out. */
export const clearStoredQueue = (): void => queueStorage.save(null)
