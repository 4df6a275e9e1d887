import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../process/startThread.ts'
import type { Picture } from './picture.ts'
import { renderPicture } from './renderPicture.ts'

/** Sent once the worker has loaded, then for each picture. */
export type WorkerMessage = 'ready' | { png: Uint8Array | null; error: string | null }

parentPort?.on('message', async (picture: Picture) => {
  try {
    const png = await renderPicture(picture)
    parentPort?.postMessage({ png, error: null } satisfies WorkerMessage)
    // Not before: the first picture takes ten times as long and would miss its deadline.
    lowerPriority()
  } catch (error) {
    parentPort?.postMessage({ png: null, error: String(error) } satisfies WorkerMessage)
  }
})
parentPort?.postMessage('ready' satisfies WorkerMessage)
