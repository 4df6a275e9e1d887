import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Picture } from './picture.ts'
import { renderPicture } from './renderPicture.ts'

/** What goes to the worker and what comes back. */
export interface Answer {
  png: Uint8Array | null
  error: string | null
}

// On Linux this is the priority of the calling thread alone: the thread that answers ratings goes first.
if (process.platform === 'linux') os.setPriority(0, 10)

parentPort?.on('message', async (picture: Picture) => {
  parentPort?.postMessage(
    await renderPicture(picture).then(
      (png): Answer => ({ png, error: null }),
      (error: unknown): Answer => ({ png: null, error: String(error) }),
    ),
  )
})
