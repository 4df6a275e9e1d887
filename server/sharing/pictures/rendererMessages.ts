/** Sent by a worker that has loaded. */
export const WORKER_READY = 'ready'

/** Sent by a worker for each picture. */
export interface RenderResult {
  png: Uint8Array | null
  error: string | null
}
