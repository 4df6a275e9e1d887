/** What a worker says when it has loaded and takes pictures. */
export const READY = 'ready'

/** What it gives back for each. */
export interface Answer {
  png: Uint8Array | null
  error: string | null
}
