import { FairQueue } from '../http/FairQueue.ts'

/**
 * This process makes one photo at a time. Queued photos are in the store, not in memory. libvips may hang for good,
 * once in some thousand pictures: then the other photos must not wait.
 */
export const photoQueue = new FairQueue({ waitingPerKey: 2, waiting: 300, retryAfter: 10, timeout: 60_000 })
