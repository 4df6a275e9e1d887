import { storageKey } from '../api/address.ts'

/** Of all tabs of this browser. */
const CHANNEL = storageKey('queue')

/** Two tabs with a queue each: the one that begins to play pauses the others (playback-46). */
export function openQueueTabs(onOther: () => void): { announce(): void; close(): void } {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = onOther
  return {
    announce: () => channel.postMessage('plays'),
    close: () => channel.close(),
  }
}
