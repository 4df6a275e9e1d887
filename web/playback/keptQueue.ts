import { stored } from '../api/stored.ts'

/** Of this tab, so that each tab has its own queue, also after a reload (playback-44). */
export const storedQueue = stored('queue', 'tab')

export const isQueueKept = (): boolean => storedQueue.read() !== null

/** When the listener signs out. */
export const forgetQueue = (): void => storedQueue.save(null)
