import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Picture } from './picture.ts'
import { renderPicture } from './renderPicture.ts'

/** Sent once the worker has loaded, then for each picture. */
export type WorkerMessage = 'ready' | { png: Uint8Array | null; error: string | null }

parentPort?.on('message', async (picture: Picture) => {
  try {
    const png = await renderPicture(picture)
    parentPort?.postMessage({ png, error: null } satisfies WorkerMessage)
    lowerPriority()
  } catch (error) {
    parentPort?.postMessage({ png: null, error: String(error) } satisfies WorkerMessage)
  }
})
parentPort?.postMessage('ready' satisfies WorkerMessage)

/**
 * On Linux this affects only the calling thread, so that the main thread goes first. Called after the first picture,
 * which takes ten times as long and would miss its deadline at low priority.
 */
function lowerPriority(): void {
  if (process.platform === 'linux') os.setPriority(0, 10)
}
