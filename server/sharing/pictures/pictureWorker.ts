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
 * On Linux this sets the priority of the calling thread only, so the thread that answers ratings goes first. The
 * first picture takes ten times as long as others, and at low priority would miss the deadline on a busy machine.
 */
function lowerPriority(): void {
  if (process.platform === 'linux') os.setPriority(0, 10)
}
