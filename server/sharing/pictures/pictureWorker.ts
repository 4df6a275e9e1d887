import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Picture } from './picture.ts'
import { type RenderResult, WORKER_READY } from './rendererMessages.ts'
import { renderPicture } from './renderPicture.ts'

parentPort?.on('message', async (picture: Picture) => {
  try {
    const png = await renderPicture(picture)
    parentPort?.postMessage({ png, error: null } satisfies RenderResult)
    lowerPriority()
  } catch (error) {
    parentPort?.postMessage({ png: null, error: String(error) } satisfies RenderResult)
  }
})
parentPort?.postMessage(WORKER_READY)

/**
 * On Linux this affects only the calling thread, so that the main thread goes first. Called after the first picture,
 * which takes ten times as long and would miss its deadline at low priority.
 */
function lowerPriority(): void {
  if (process.platform === 'linux') os.setPriority(0, 10)
}
